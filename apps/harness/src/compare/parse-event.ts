import { parseEvents } from '@hydra/core'

/** One event of a stream, with its data parsed where it is JSON. */
export interface ParsedEvent {
  /** The name of the event; `message` where it has none, as the standard says. */
  readonly name: string
  readonly data: unknown
}

/** Reads the lines of one event; undefined for what carries no data, such as comments that keep a stream open. */
export function parseEvent(text: string): ParsedEvent | undefined {
  const { events, strayLines } = parseEvents(text)
  // A field that the standard does not know is shown too: some upstreams tell their errors in one.
  const [event = { name: undefined, data: undefined }] = events
  const name = strayLines.at(-1) ?? event.name ?? 'message'
  if (event.data !== undefined) return { name, data: parseData(event.data) }
  return name === 'message' ? undefined : { name, data: undefined }
}

/** A text as the JSON that it is, or as it is. */
export function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
