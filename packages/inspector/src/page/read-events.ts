import { shortened } from '@hydra/cli'
import { parseEvents, splitEvents } from '@hydra/core'
import type { TapedAnswer, TapedChunk } from '@hydra/tape'
import { hintOf } from './event-hint.ts'
import type { EventView } from './page-data.ts'

/** More than anybody reads of one event; a page must stay a page. */
const MAX_DATA_LENGTH = 100_000

/** An event and the time at which its last byte came. */
export interface TimedEvent {
  readonly at: number
  readonly event: EventView
}

/** The events of an answer's body, each at the time of the chunk that completed it. */
export function readEvents(answer: Pick<TapedAnswer, 'chunks' | 'ended'>): TimedEvent[] {
  const bytes = joined(answer.chunks)
  const ends = endsOf(answer.chunks)
  const decoder = new TextDecoder()
  let offset = 0
  let chunk = 0
  return splitEvents(bytes).map((piece) => {
    offset += piece.length
    while ((ends[chunk] ?? Infinity) < offset) chunk += 1
    return { at: answer.chunks[chunk]?.at ?? 0, event: eventOf(decoder.decode(piece)) }
  })
}

function joined(chunks: readonly TapedChunk[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk.bytes, offset)
    offset += chunk.bytes.length
  }
  return bytes
}

function endsOf(chunks: readonly TapedChunk[]): number[] {
  let end = 0
  return chunks.map(({ bytes }) => {
    end += bytes.length
    return end
  })
}

function eventOf(text: string): EventView {
  if (/^\s*[{[<]/.test(text)) return viewOf('body', text)
  const [event] = parseEvents(text).events
  // What is no event of the standard is shown as it is: some servers tell their errors that way.
  if (event === undefined) return viewOf(text.startsWith(':') ? 'comment' : 'other', text.trim())
  const view = viewOf(event.name ?? '', event.data)
  return /(?:\n\n|\r\r|\r\n\r\n)$/.test(text) ? view : { ...view, cut: true }
}

function viewOf(name: string, data: string): EventView {
  return { name, hint: hintOf(data), data: shortened(data, MAX_DATA_LENGTH) }
}
