import type { AnswerStream } from '../dialects/benched-dialect.ts'
import { TextSource } from './text-source.ts'

const PIECES = 2000

/** The words of an answer, one or so per event. */
export function words(count: number = PIECES): readonly string[] {
  const source = new TextSource()
  return Array.from({ length: count }, () => ` ${source.word()}`)
}

/** The arguments of a call that writes a file, a word or so per event. */
export function argumentPieces(count: number = PIECES): readonly string[] {
  const source = new TextSource()
  const pieces = Array.from({ length: count }, () => JSON.stringify(` ${source.word()}`).slice(1, -1))
  return ['{"file_path":"/src/store.ts","content":"', ...pieces, '"}']
}

/** The events of an answer as reads from a socket, so many in each. */
export function reads({ events }: AnswerStream, eventsPerRead: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < events.length; start += eventsPerRead) {
    pieces.push(joined(events.slice(start, start + eventsPerRead)))
  }
  return pieces
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
