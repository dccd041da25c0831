import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Rechunk } from './rechunk.ts'

/** How an answer is sent. */
export interface Pace {
  /** 1 keeps the recorded gaps, 10 is ten times as fast, 0 sends everything at once. */
  readonly speed: number
  readonly rechunk: Rechunk
  /** When the request had come, by the clock of `performance`. */
  readonly arrival: number
}

/** Waits for moments of the tape. Each is counted from the arrival of the request, so that waits do not add up. */
export function clockFrom(
  start: number,
  { speed, arrival }: Pick<Pace, 'speed' | 'arrival'>,
  signal: AbortSignal,
): (at: number) => Promise<void> {
  return async (at) => {
    if (speed === 0) {
      // Those who read and those who leave get their turn between two pieces.
      await nextTurn()
      return
    }
    const wait = arrival + (at - start) / 1000 / speed - performance.now()
    if (wait > 0) await sleep(wait, undefined, { signal }).catch(() => {})
  }
}
