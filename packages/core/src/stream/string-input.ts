import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { TextPieces } from './text-pieces.ts'

/** How the input of a tool begins that takes one string. */
const OPENING = /^\s*\{\s*"input"\s*:\s*"/
/** A beginning that may still become it. */
const PARTIAL_OPENING = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/
/** A beginning that is longer is of another form. */
const MAX_OPENING = 1024
const HIGH_SURROGATE = /\\ud[89ab][\da-f]{2}$/i
const UNICODE_ESCAPE_LENGTH = 6

/**
 * Takes the text out of a tool input of the form `{"input": "…"}` while its JSON comes in pieces: such is the input
 * of a tool that takes free text, where an upstream knows only tools that take objects.
 */
export class StringInput {
  /** What may still become the opening, or an escape that is not whole yet. */
  #held = ''
  /** An input of another form. */
  readonly #other = new TextPieces()
  #state: 'opening' | 'text' | 'other' | 'done' = 'opening'

  /** The text that is certain now. */
  push(json: string): string {
    if (this.#state === 'done') return ''
    if (this.#state === 'other') {
      this.#keep(json)
      return ''
    }
    this.#held += json
    if (this.#state === 'opening') this.#open()
    return this.#state === 'text' ? this.#read() : ''
  }

  /** The input is complete: the rest of it; an input of another form is given as it is. */
  end(): string {
    if (this.#state === 'done') return ''
    const rest = this.#other.take() + this.#held
    this.#held = ''
    // A text without its end was cut off: an escape that is not whole says nothing.
    return this.#state === 'text' ? '' : textOf(rest)
  }

  #open(): void {
    const opening = OPENING.exec(this.#held)
    if (opening !== null) {
      this.#held = this.#held.slice(opening[0].length)
      this.#state = 'text'
    } else if (this.#held.length > MAX_OPENING || !PARTIAL_OPENING.test(this.#held)) {
      this.#state = 'other'
      this.#keep(this.#held)
      this.#held = ''
    }
  }

  #keep(json: string): void {
    this.#other.push(json)
    if (this.#other.length <= MAX_EVENT_LENGTH) return
    const message = `expected tool input of at most ${MAX_EVENT_LENGTH} characters, got more`
    throw new HubError('api_error', message, { status: 502 })
  }

  #read(): string {
    const { length, isEnd } = wholeLength(this.#held)
    const whole = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    if (isEnd) this.#state = 'done'
    return unescaped(whole)
  }
}

/** The text of an input that is there in one piece; anything but one string is given as its JSON. */
export function stringInputOf(input: unknown): string {
  if (typeof input === 'object' && input !== null) {
    const { input: text, ...others } = input as Record<string, unknown>
    if (typeof text === 'string' && Object.keys(others).length === 0) return text
  }
  return JSON.stringify(input ?? {})
}

function textOf(json: string): string {
  try {
    return json === '' ? '' : stringInputOf(JSON.parse(json))
  } catch {
    return json
  }
}

/** How much of the inside of a JSON string is whole: up to its quote, an open escape or half a surrogate pair. */
function wholeLength(text: string): { readonly length: number; readonly isEnd: boolean } {
  let at = 0
  while (at < text.length) {
    if (text[at] === '"') return { length: at, isEnd: true }
    const step = text[at] === '\\' ? (text[at + 1] === 'u' ? UNICODE_ESCAPE_LENGTH : 2) : 1
    if (at + step > text.length) break
    at += step
  }
  const hasHalf = HIGH_SURROGATE.test(text.slice(Math.max(0, at - UNICODE_ESCAPE_LENGTH), at))
  return { length: hasHalf ? at - UNICODE_ESCAPE_LENGTH : at, isEnd: false }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    // Models write line breaks as they are now and then, which JSON does not allow.
    return text
  }
}
