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

const EVENT_END = '\n\n'

/** Splits text into server-sent events as the HTML standard says, within bounded memory. */
export class SseParser {
  readonly #parser: EventSourceParser
  readonly #listener: SseListener
  /** The beginning of a line whose end has not come yet. */
  #pending: string[] = []
  #pendingLength = 0
  #overflowed = false
  /** Nothing of an event has come whose end has not. */
  isBetweenEvents = true

  constructor(listener: SseListener) {
    this.#listener = listener
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ event, data }) => listener.event(event, data),
      onError: (error) => this.#fault(error),
    })
  }

  push(text: string): void {
    const end = endOfLastLine(text)
    if (end > 0) this.#feed(text.slice(0, end))
    if (end < text.length) this.#hold(text.slice(end))
  }

  /** The body ended: hands over an event whose closing blank line never came. */
  end(): void {
    this.push('\n\n')
  }

  /** The parser gets whole lines only: it throws the half of a line away whose field it does not know. */
  #feed(lines: string): void {
    this.isBetweenEvents = lines.endsWith(EVENT_END)
    this.#parser.feed(this.#pendingLength === 0 ? lines : this.#takePending() + lines)
    if (this.#overflowed) throw tooLong()
  }

  #takePending(): string {
    const pending = this.#pending.join('')
    this.#pending = []
    this.#pendingLength = 0
    return pending
  }

  #hold(piece: string): void {
    this.isBetweenEvents = false
    this.#pending.push(piece)
    this.#pendingLength += piece.length
    if (this.#pendingLength <= MAX_EVENT_LENGTH) return
    this.#pending = []
    throw tooLong()
  }

  #fault(error: ParseError): void {
    if (error.type === 'max-buffer-size-exceeded') this.#overflowed = true
    if (error.type === 'unknown-field') this.#listener.strayLine(error.field ?? '', error.value ?? '')
  }
}

/** Where the last line of a text ends that is complete, 0 if none is. */
function endOfLastLine(text: string): number {
  const lineFeed = text.lastIndexOf('\n')
  // Searching for a carriage return from the end would read the whole text where there is none.
  const carriageReturn = text.indexOf('\r', lineFeed + 1) === -1 ? -1 : text.lastIndexOf('\r')
  return Math.max(lineFeed, carriageReturn) + 1
}

function tooLong(): HubError {
  return new HubError('api_error', `upstream: an event is longer than ${MAX_EVENT_LENGTH} characters`)
}
