import { createParser, type EventSourceParser, type ParseError } from 'eventsource-parser'
import { HubError } from '../hub/error.ts'

/** The longest event that is read, in characters; a provider that sends more is broken or hostile. */
export const MAX_EVENT_LENGTH: number = 16 * 1024 * 1024

/** Hears the events of a stream, and the lines that are no part of one. */
export interface SseListener {
  event(name: string | undefined, data: string): void
  /** A line with a field that the standard does not know, such as llama-box's `error: {…}`. */
  strayLine(field: string, value: string): void
}

/** Splits text into server-sent events as the HTML standard says, within bounded memory. */
export class SseParser {
  readonly #parser: EventSourceParser
  readonly #listener: SseListener
  #overflowed = false

  constructor(listener: SseListener) {
    this.#listener = listener
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ event, data }) => listener.event(event, data),
      onError: (error) => this.#fault(error),
    })
  }

  push(text: string): void {
    this.#parser.feed(text)
    if (this.#overflowed) {
      throw new HubError('api_error', `upstream: an event is longer than ${MAX_EVENT_LENGTH} characters`)
    }
  }

  /** The body ended: hands over an event whose closing blank line never came. */
  end(): void {
    this.push('\n\n')
  }

  #fault(error: ParseError): void {
    if (error.type === 'max-buffer-size-exceeded') this.#overflowed = true
    if (error.type === 'unknown-field') this.#listener.strayLine(error.field ?? '', error.value ?? '')
  }
}
