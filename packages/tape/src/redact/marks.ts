/** What a mark replaces: a key or another secret, an e-mail address, a home directory. */
export type MarkKind = 'K' | 'E' | 'H'

/** Finds marks: a tilde, the kind, a number, hyphens up to the length of what was replaced, a tilde. */
const MARK = /~([KEH])(\d+)(-*)~/g

/** More secrets than these all get the number 0: a hostile stream must not fill the memory. */
const MAX_NUMBERS = 10_000

/** The number of secrets that could not get one of their own. */
const NO_NUMBER = 0

/** A text in which all marks of one kind and length are equal, for comparing two recordings of the same thing. */
export function withoutMarkNumbers(text: string): string {
  if (!text.includes('~')) return text
  return text.replaceAll(MARK, (mark, kind: MarkKind) => formatMark(kind, NO_NUMBER, mark.length))
}

/** The highest number of any mark in a text. */
export function highestMarkNumber(text: string): number {
  let highest = 0
  for (const match of text.matchAll(MARK)) highest = Math.max(highest, Number(match[2]))
  return highest
}

/** A mark as long as what it replaces; where that is too short for the number, the number is 0. */
export function formatMark(kind: MarkKind, number: number, length: number): string {
  const start = `~${kind}${number}`
  if (start.length < length) return `${start.padEnd(length - 1, '-')}~`
  if (number !== NO_NUMBER) return formatMark(kind, NO_NUMBER, length)
  // No rule finds anything this short; a rest of something longer may be.
  return '-'.repeat(length)
}

/** Numbers the secrets of one tape: the same secret has the same number. */
export class MarkNumbers {
  readonly #numbers = new Map<string, number>()
  #last: number

  /** Begins behind the numbers that a tape already has. */
  constructor(last = 0) {
    this.#last = last
  }

  numberOf(secret: string): number {
    const known = this.#numbers.get(secret)
    if (known !== undefined) return known
    if (this.#numbers.size >= MAX_NUMBERS) return NO_NUMBER
    this.#last += 1
    this.#numbers.set(secret, this.#last)
    return this.#last
  }
}
