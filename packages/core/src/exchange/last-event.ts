import { asText } from '../sse/as-text.ts'
import { parseEvents } from '../sse/parse-events.ts'

/**
 * The last event of a stream that ends without the blank line behind it: with its line ends if all of its data came,
 * so that every client sees it, and nothing of it if it broke off, because some clients would try to parse that.
 */
export function lastEvent(tail: Uint8Array): Uint8Array {
  const text = asText(tail)
  const data = parseEvents(text).events.at(-1)?.data ?? ''
  if (data === '' || !isWhole(data.trim())) return new Uint8Array(0)
  return new TextEncoder().encode(text.endsWith('\n') ? `${text}\n` : `${text}\n\n`)
}

/**
 * The last event of a stream, and behind it the word that ends streams, if that is still to come: an answer may be
 * finished before it, and without it some clients wait or doubt.
 */
export function endOfStream(tail: Uint8Array, streamEnd: Uint8Array | undefined): Uint8Array {
  const last = lastEvent(tail)
  if (streamEnd === undefined || asText(last).trim() === asText(streamEnd).trim()) return last
  const both = new Uint8Array(last.length + streamEnd.length)
  both.set(last)
  both.set(streamEnd, last.length)
  return both
}

function isWhole(data: string): boolean {
  // The one word of an event stream that is no JSON.
  if (data === '[DONE]') return true
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}
