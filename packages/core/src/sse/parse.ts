import { createParser, type EventSourceParser, type ParseError } from 'eventsource-parser'
import { HubError } from '../hub/error.ts'
import { TextPieces } from '../stream/text-pieces.ts'

/** The longest event that is read, in characters; a provider that sends more is broken or hostile. */
export const MAX_EVENT_LENGTH: number = 16 * 1024 * 1024

/** More lines that are no part of an event than any server sends: each of them costs as much as a hundred comments. */
const MAX_STRAY_LINES = 1000

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
  /** The beginning of a line whose end has not come yet. */
  readonly #pending = new TextPieces()
  #strayLines = 0
  #overflowed = false
  /** Nothing of an event has come whose end has not. */
  isBetweenEvents = true
  /** How many events were dispatched since this was set to 0. */
  events = 0
  /** A line outside of events is being dispatched. */
  isStray = false

  constructor(listener: SseListener) {
    this.#listener = listener
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ event, data }) => {
        this.events += 1
        listener.event(event, data)
      },
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
    this.isBetweenEvents = endsEvent(lines)
    this.#parser.feed(this.#pending.length === 0 ? lines : this.#pending.take() + lines)
    if (this.#overflowed) throw tooLong()
  }

  #hold(piece: string): void {
    this.isBetweenEvents = false
    this.#pending.push(piece)
    if (this.#pending.length <= MAX_EVENT_LENGTH) return
    this.#pending.take()
    throw tooLong()
  }

  #countStray(): void {
    this.#strayLines += 1
    if (this.#strayLines <= MAX_STRAY_LINES) return
    const message = `upstream: expected an event stream, got more than ${MAX_STRAY_LINES} lines that are no part of an event`
    throw new HubError('api_error', message, { status: 502 })
  }

  #fault(error: ParseError): void {
    this.isStray = true
    if (error.type === 'max-buffer-size-exceeded') this.#overflowed = true
    else this.#countStray()
    if (error.type === 'unknown-field') this.#listener.strayLine(error.field ?? '', error.value ?? '')
    this.isStray = false
  }
}

/** Where the last line of a text ends that is complete, 0 if none is. */
function endOfLastLine(text: string): number {
  const lineFeed = text.lastIndexOf('\n')
  // Searching for a carriage return from the end would read the whole text where there is none.
  const carriageReturn = text.indexOf('\r', lineFeed + 1) === -1 ? -1 : text.lastIndexOf('\r')
  return Math.max(lineFeed, carriageReturn) + 1
}

/** Whether the last of these lines is blank. */
function endsEvent(lines: string): boolean {
  return lines.endsWith('\n\n') || lines.endsWith('\n\r\n')
}

function tooLong(): HubError {
  const words = `upstream: an event is longer than ${MAX_EVENT_LENGTH} characters`
  return new HubError('api_error', words, { status: 502 })
}
