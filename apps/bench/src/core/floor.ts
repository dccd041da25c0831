import type { AnswerStream } from '../dialects/benched-dialect.ts'

/** The least that a translation of a body could do: read it and write it. */
export function copyBody(body: string): number {
  return JSON.stringify(JSON.parse(body)).length
}

/** What the client is told of a piece; absent where it is told nothing until the last of them. */
type EventOf = ((piece: string) => object) | undefined

/** The least that a translation of a stream could do with its events: read each, and write one for it. */
export function copyEvents({ chunks, pieceIn }: AnswerStream, eventOf: EventOf): number {
  let length = 0
  for (const chunk of chunks) {
    const piece = pieceIn(JSON.parse(chunk))
    length += eventOf === undefined ? piece.length : JSON.stringify(eventOf(piece)).length
  }
  return length
}
