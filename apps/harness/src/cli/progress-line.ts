import type { Surroundings } from '../command.ts'

/** How often the line is drawn at most, in milliseconds. */
const INTERVAL = 100

/** A line on the terminal that says how far the work has come. */
export interface ProgressLine {
  show(text: string): void
  /** Takes the line away, so that something else can be written. */
  clear(): void
}

/** Draws progress on a terminal; elsewhere nothing is written. */
export function progressLine({ isTerminal, err }: Pick<Surroundings, 'isTerminal' | 'err'>): ProgressLine {
  let drawn = -Infinity
  let isVisible = false
  return {
    show(text) {
      const now = performance.now()
      if (!isTerminal || now - drawn < INTERVAL) return
      drawn = now
      isVisible = true
      err(`\r\u001B[2K${text}`)
    },
    clear() {
      if (isVisible) err('\r\u001B[2K')
      isVisible = false
    },
  }
}
