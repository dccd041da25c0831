const HIDDEN = '[redacted]'

/** Shorter ones are no secrets but placeholders such as `ollama`, and words of any text. */
const MIN_HIDDEN = 8

/** A word may be a part of a key and of any text; only what else is beside it shows which. */
const IS_WORD = /^[a-z]+$/

/** A key that cannot be printed by accident: it is private to the object, and only `reveal` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /**
   * A text in which the key does not occur any more: neither as it is, nor as JSON, an address or base64 writes it, nor
   * a piece of it that is left where somebody has cut or masked it before.
   */
  hideIn(text: string): string {
    if (this.#value.length < MIN_HIDDEN) return text
    const forms = formsOf(this.#value)
    const hidden = forms.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text)
    return withoutPieces(hidden, new Set(forms.flatMap(piecesOf)))
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }
}

/** Shorter pieces of base64 would be found in any text. */
const MIN_BASE64 = 12

/** A key as it may be quoted: as it is, inside a JSON string or one that is quoted in another, in an address, in base64. */
function formsOf(value: string): string[] {
  const forms = [value, encodeURIComponent(value.toWellFormed()), ...base64Of(value)]
  // PHP escapes slashes, .NET plus signs.
  for (const inner of [value, value.replaceAll('/', '\\/'), value.replaceAll('+', '\\u002B')]) {
    const escaped = JSON.stringify(inner).slice(1, -1)
    forms.push(inner, escaped, JSON.stringify(escaped).slice(1, -1))
  }
  // What is longer comes first, so that nothing of it is left.
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length)
}

/** Base64 of any text that contains the key: at each of the three ways in which its bytes can fall. */
function base64Of(value: string): string[] {
  if (!/^[\u0020-\u007e]*$/.test(value)) return []
  return [0, 1, 2].flatMap((before) => {
    const coded = btoa('-'.repeat(before) + value)
    // Characters that also depend on a neighbour are left out.
    const last = Math.floor(((before + value.length) * 4) / 3)
    const stable = coded.slice(Math.ceil((before * 4) / 3), last)
    if (stable.length < MIN_BASE64) return []
    return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function piecesOf(form: string): string[] {
  const count = form.length - MIN_HIDDEN + 1
  return Array.from({ length: count }, (_, at) => form.slice(at, at + MIN_HIDDEN))
}

/** A text without any run of characters that is made of these pieces, which are all of the same length. */
function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  let result = ''
  let kept = 0
  for (let at = 0; at + MIN_HIDDEN <= text.length;) {
    const piece = text.slice(at, at + MIN_HIDDEN)
    if (!pieces.has(piece) || IS_WORD.test(piece)) {
      at += 1
      continue
    }
    const end = endOfRun(text, at, pieces)
    result += text.slice(kept, at) + HIDDEN
    kept = end
    at = end
  }
  return result + text.slice(kept)
}

function endOfRun(text: string, start: number, pieces: ReadonlySet<string>): number {
  let at = start
  while (pieces.has(text.slice(at + 1, at + 1 + MIN_HIDDEN))) at += 1
  return at + MIN_HIDDEN
}
