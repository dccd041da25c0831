/** How far a JSON object has come: nothing yet, in the middle, whole, or beyond repair. */
export type JsonState = 'empty' | 'partial' | 'complete' | 'invalid'

/** Deeper nesting than this is treated as invalid, which also bounds the memory of a scanner. */
const MAX_DEPTH = 512
const MAX_SCALAR_LENGTH = 1000
const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/

const QUOTE = 0x22
const BACKSLASH = 0x5c

type Expect =
  | 'object'
  | 'value'
  | 'first-value'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'comma'
  | 'nothing'
  | 'string'
  | 'escape'
  | 'hex'
  | 'scalar'
  | 'failed'

/**
 * Follows one JSON object that arrives in pieces and knows at any time whether it is complete.
 * It keeps the open brackets but none of the text, so a long tool input costs no memory.
 */
export class JsonScanner {
  #expect: Expect = 'object'
  #isKey = false
  #scalar = ''
  #hexDigits = 0
  readonly #closers: string[] = []

  get state(): JsonState {
    if (this.#expect === 'object') return 'empty'
    if (this.#expect === 'nothing') return 'complete'
    return this.#expect === 'failed' ? 'invalid' : 'partial'
  }

  /** Whether what comes next is inside of a string, and no part of an escape. */
  get isInString(): boolean {
    return this.#expect === 'string'
  }

  push(piece: string): void {
    let at = 0
    while (at < piece.length && this.#expect !== 'failed') {
      at = this.#expect === 'string' ? this.#scanString(piece, at) : this.#scanOne(piece, at)
    }
  }

  #scanString(piece: string, from: number): number {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (code === QUOTE) {
        this.#expect = this.#isKey ? 'colon' : this.#afterValue()
        return at + 1
      }
      if (code === BACKSLASH) {
        this.#expect = 'escape'
        return at + 1
      }
      if (code < 0x20) {
        this.#expect = 'failed'
        return at
      }
    }
    return piece.length
  }

  #scanOne(piece: string, at: number): number {
    const char = piece.charAt(at)
    if (this.#expect === 'scalar') return this.#scanScalar(char, at)
    if (this.#expect === 'escape' || this.#expect === 'hex') this.#expect = this.#afterEscape(char)
    else if (char !== ' ' && char !== '\n' && char !== '\r' && char !== '\t') this.#expect = this.#after(char)
    return at + 1
  }

  #scanScalar(char: string, at: number): number {
    if (/[-+.\w]/.test(char) && this.#scalar.length < MAX_SCALAR_LENGTH) {
      this.#scalar += char
      return at + 1
    }
    // The character that ends a number or a word belongs to what comes next.
    this.#expect = SCALAR.test(this.#scalar) ? this.#afterValue() : 'failed'
    return at
  }

  #afterEscape(char: string): Expect {
    if (this.#expect === 'escape') {
      this.#hexDigits = 0
      if (char === 'u') return 'hex'
      return '"\\/bfnrt'.includes(char) ? 'string' : 'failed'
    }
    this.#hexDigits += 1
    if (!/[\da-fA-F]/.test(char)) return 'failed'
    return this.#hexDigits === 4 ? 'string' : 'hex'
  }

  #after(char: string): Expect {
    switch (this.#expect) {
      case 'object':
        return char === '{' ? this.#open('}', 'first-key') : 'failed'
      case 'value':
        return this.#beginValue(char)
      case 'first-value':
        return char === ']' ? this.#close(char) : this.#beginValue(char)
      case 'first-key':
        return char === '}' ? this.#close(char) : this.#beginKey(char)
      case 'key':
        return this.#beginKey(char)
      case 'colon':
        return afterColon(char)
      case 'comma':
        return char === ',' ? this.#afterComma() : this.#close(char)
      default:
        return 'failed'
    }
  }

  #afterComma(): Expect {
    return this.#closers.at(-1) === '}' ? 'key' : 'value'
  }

  #beginKey(char: string): Expect {
    this.#isKey = true
    return char === '"' ? 'string' : 'failed'
  }

  #beginValue(char: string): Expect {
    this.#isKey = false
    if (char === '"') return 'string'
    if (char === '{') return this.#open('}', 'first-key')
    if (char === '[') return this.#open(']', 'first-value')
    this.#scalar = char
    return /[-\w]/.test(char) ? 'scalar' : 'failed'
  }

  #open(closer: string, next: Expect): Expect {
    this.#closers.push(closer)
    return this.#closers.length > MAX_DEPTH ? 'failed' : next
  }

  #close(char: string): Expect {
    return this.#closers.pop() === char ? this.#afterValue() : 'failed'
  }

  #afterValue(): Expect {
    return this.#closers.length === 0 ? 'nothing' : 'comma'
  }
}

function afterColon(char: string): Expect {
  return char === ':' ? 'value' : 'failed'
}
