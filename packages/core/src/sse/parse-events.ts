import { HubError } from '../hub/error.ts'
import { SseParser } from './parse.ts'

/** One event of a stream. */
export interface ServerSentEvent {
  readonly name: string | undefined
  readonly data: string
}

/** A text that was read as an event stream. */
export interface ParsedStream {
  readonly events: readonly ServerSentEvent[]
  /** The fields that the standard does not know, as `name: value`: some servers tell their errors in one. */
  readonly strayLines: readonly string[]
}

/**
 * Reads a whole text as an event stream; a last event whose blank line never came counts too. Behind more than a
 * decoder would read, an event without an end or lines that are none, nothing more is read.
 */
export function parseEvents(text: string): ParsedStream {
  const events: ServerSentEvent[] = []
  const strayLines: string[] = []
  const parser = new SseParser({
    event: (name, data) => events.push({ name, data }),
    strayLine: (field, value) => strayLines.push(value === '' ? field : `${field}: ${value}`),
  })
  try {
    parser.push(text)
    parser.end()
  } catch (thrown) {
    if (!(thrown instanceof HubError)) throw thrown
  }
  return { events, strayLines }
}
