import type { AnswerStream } from './benched-dialect.ts'

const encoder = new TextEncoder()

/** What the events of an answer are made of; each is the JSON of its data. */
export interface EventTexts extends Pick<AnswerStream, 'chunks' | 'pieceIn'> {
  readonly opening: readonly string[]
  readonly closing: readonly string[]
}

/** An answer in server-sent events. */
export function eventAnswer(texts: EventTexts, framed: (data: string) => string = dataLine): AnswerStream {
  const { opening, chunks, closing, pieceIn } = texts
  const whole = (events: readonly string[]): Uint8Array => encoder.encode(events.map(framed).join(''))
  return {
    opening: whole(opening),
    chunks,
    events: chunks.map((chunk) => encoder.encode(framed(chunk))),
    closing: whole(closing),
    pieceIn,
  }
}

/** An event without a name. */
export function dataLine(data: string): string {
  return `data: ${data}\n\n`
}

/** An event that is named after its type. */
export function namedEvent(data: string): string {
  const { type } = JSON.parse(data) as { readonly type: string }
  return `event: ${type}\ndata: ${data}\n\n`
}

/** Random text of a random length that hides how long words are. */
export function obfuscation(number: number): string {
  const digits = ((number + 1) * 48_271 * 69_621).toString(36)
  return (digits + digits).slice(0, 3 + ((number * 7) % 13))
}
