/** How the input of a tool begins that takes one string. */
const OPENING = /^\s*\{\s*"input"\s*:\s*"/
/** A beginning that may still become it. */
const PARTIAL_OPENING = /^\s*(?:\{\s*(?:"(?:i(?:n(?:p(?:u(?:t(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?$/
/** An escape at the end of a piece that is not whole yet, or half of a surrogate pair. */
const OPEN_ESCAPE = /(?:\\(?:u[\da-fA-F]{0,3})?|\\ud[89ab][\da-f]{2}(?:\\(?:u[\da-fA-F]{0,3})?)?)$/i

/**
 * Takes the text out of a tool input of the form `{"input": "…"}` while its JSON comes in pieces: such is the input
 * of a tool that takes free text, where an upstream knows only tools that take objects.
 */
export class StringInput {
  #held = ''
  #state: 'opening' | 'text' | 'other' | 'done' = 'opening'

  /** The text that is certain now. */
  push(json: string): string {
    this.#held += json
    if (this.#state === 'opening') this.#open()
    return this.#state === 'text' ? this.#read() : ''
  }

  /** The input is complete: the rest of it; an input of another form is given as it is. */
  end(): string {
    if (this.#state === 'done') return ''
    const rest = this.#held
    this.#held = ''
    // A text without its end was cut off: an escape that is not whole says nothing.
    return this.#state === 'text' ? '' : textOf(rest)
  }

  #open(): void {
    const opening = OPENING.exec(this.#held)
    if (opening !== null) {
      this.#held = this.#held.slice(opening[0].length)
      this.#state = 'text'
    } else if (!PARTIAL_OPENING.test(this.#held)) {
      this.#state = 'other'
    }
  }

  #read(): string {
    const end = endOfString(this.#held)
    const whole = end === -1 ? this.#held.replace(OPEN_ESCAPE, '') : this.#held.slice(0, end)
    this.#held = this.#held.slice(whole.length)
    if (end !== -1) this.#state = 'done'
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

/** Where the quote is that ends a string. */
function endOfString(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return -1
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    // Models write line breaks as they are now and then, which JSON does not allow.
    return text
  }
}
