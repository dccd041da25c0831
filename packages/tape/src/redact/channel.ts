import { formatMark, type MarkNumbers } from './marks.ts'
import type { Piece } from './piece.ts'
import type { SecretFinder } from './secret-finder.ts'
import { endOfPrivateKey, endOfToken, type Secret } from './shapes.ts'

/** This much of what was decided is kept: whether a word is a key depends on what precedes it. */
const CONTEXT = 24

/** More is not waited for: it is decided by what is known. */
const MAX_PENDING = 8192

const NOTHING: readonly Secret[] = []

/** Where a part of the undecided text lies in a piece. */
interface Place {
  readonly piece: Piece
  /** The beginning in the text of the channel, and in the piece. */
  start: number
  readonly from: number
  readonly length: number
}

/**
 * One text that arrives in parts, scattered over the pieces of a stream: the words of the model without the events
 * around them, for instance. Finds the secrets in it wherever it was cut, and covers them in their pieces. A piece with
 * text that is not decided yet is held; each channel that waits counts as one of its holders.
 */
export class Channel {
  readonly #finder: SecretFinder
  readonly #numbers: MarkNumbers
  /** The text that is not decided, behind a little that is; and how much of it that is. */
  #text = ''
  #decided = 0
  /** Where the undecided text lies. */
  #places: Place[] = []
  /** What kind of secret is covered already although its end has not come: what follows belongs to it. */
  #openSecret: 'word' | 'private key' | undefined
  /** The number of the piece that it last went on in; kept for those who push. */
  lastPiece = 0

  constructor(finder: SecretFinder, numbers: MarkNumbers) {
    this.#finder = finder
    this.#numbers = numbers
  }

  get isPending(): boolean {
    return this.#places.length > 0
  }

  /** The channel goes on with a part of a piece that begins at a byte; the part is known to hold no secret by itself. */
  pushHarmless(piece: Piece, from: number, part: string): void {
    if (this.#places.length > 0 || this.#openSecret !== undefined) return this.push(piece, from, part)
    // The usual case: nothing waits and nothing will, so no string is put together.
    if (part.length >= CONTEXT && this.#finder.endsHarmless(part)) this.#keepContext(part)
    else this.#append(piece, from, this.#text + part, NOTHING)
  }

  /** The channel goes on with a part of a piece that begins at a byte. */
  push(piece: Piece, from: number, part: string): void {
    if (part === '') return
    const covered = this.#openSecret === undefined ? 0 : this.#coverOpenSecret(piece, from, part)
    if (covered === part.length) return
    const rest = covered === 0 ? part : part.slice(covered)
    const text = this.#text + rest
    this.#append(piece, from + covered, text, this.#undecided(text))
  }

  /**
   * How much of what the channel could go on with holds no secret, whatever follows; negative if that is not known. It
   * is not known behind a backslash: the letter of an escape belongs to no word.
   */
  harmlessIn(texts: string): number {
    if (this.#openSecret !== undefined || this.#text.endsWith('\\')) return -1
    const text = this.#text + texts
    return this.#finder.isSuspect(text) ? -1 : this.#finder.pendingFrom(text) - this.#text.length
  }

  /**
   * The channel goes on with what `harmlessIn` answered for. That includes what waited, so all pieces are released; and
   * it ends with a whole word, so no context is needed for what follows.
   */
  pass(): void {
    for (const { piece } of this.#places) piece.holders -= 1
    this.#places = []
    this.#text = ''
    this.#decided = 0
  }

  /** Nothing follows: what is there is what it is. */
  end(): void {
    if (this.#places.length > 0) this.#decide(this.#text, this.#text.length, this.#undecided(this.#text))
    this.#text = ''
    this.#decided = 0
    this.#openSecret = undefined
  }

  /** It is not known what follows: the beginning of a secret is taken for one. */
  cut(): void {
    if (this.#places.length > 0) this.#cut(this.#text, this.#undecided(this.#text))
  }

  /** The secrets in a text, of which only the undecided part can still be covered. */
  #undecided(text: string): readonly Secret[] {
    const found = this.#finder.find(text)
    const [first] = found
    if (first === undefined || first.start >= this.#decided) return found
    // What precedes the context is gone: a key at its very beginning may be the end of a longer word.
    const isTail = ({ start, kind }: Secret): boolean =>
      start === 0 && kind === 'K' && this.#decided >= CONTEXT
    return found
      .filter((secret) => secret.end > this.#decided && !isTail(secret))
      .map(({ start, end, kind, identity }) => ({
        start: Math.max(start, this.#decided),
        end,
        kind,
        identity,
      }))
  }

  #keepContext(text: string): void {
    this.#text = text.slice(-CONTEXT)
    this.#decided = this.#text.length
  }

  /** Goes on with a text that is longer than before by a part that begins at a byte of a piece. */
  #append(piece: Piece, from: number, text: string, found: readonly Secret[]): void {
    const pending = this.#pendingIn(text, found)
    if (pending === text.length && found.length === 0 && this.#places.length === 0) {
      this.#keepContext(text)
      return
    }
    const start = this.#text.length
    this.#places.push({ piece, start, from, length: text.length - start })
    piece.holders += 1
    if (text.length - pending > MAX_PENDING) this.#cut(text, found)
    else this.#decide(text, pending, found)
  }

  /** Where the part of a text begins that what follows may make a secret of. */
  #pendingIn(text: string, found: readonly Secret[]): number {
    let pending = this.#finder.pendingFrom(text)
    // What touches the undecided end may grow, and is looked at again with what follows.
    for (const secret of found) if (secret.end > pending) pending = Math.min(pending, secret.start)
    return pending
  }

  /** Covers what ends before a place, and lets go of the pieces that end before it. */
  #decide(text: string, pending: number, found: readonly Secret[]): void {
    for (const secret of found) if (secret.end <= pending) this.#cover(text, secret)
    const kept: Place[] = []
    for (const place of this.#places) {
      if (place.start + place.length > pending) kept.push(place)
      else place.piece.holders -= 1
    }
    const context = Math.max(0, pending - CONTEXT)
    this.#decided = pending - context
    for (const place of kept) place.start -= context
    this.#places = kept
    this.#text = text.slice(context)
  }

  #cut(text: string, found: readonly Secret[]): void {
    const last = found.at(-1)
    const beginning = last?.end === text.length ? last : this.#finder.findBeginning(text, this.#decided)
    const all = beginning === undefined || beginning === last ? found : [...found, beginning]
    this.#decide(text, text.length, all)
    if (beginning === undefined) return
    const isPrivateKey = text.startsWith('-----BEGIN', beginning.start)
    this.#openSecret = isPrivateKey ? 'private key' : 'word'
  }

  /** Covers what still belongs to the open secret, and gives its length. */
  #coverOpenSecret(piece: Piece, from: number, part: string): number {
    const text = this.#text + part
    const end = this.#openSecret === 'word' ? endOfToken(text, this.#text.length) : endOfPrivateKey(text)
    const covered = end < 0 ? part.length : Math.max(0, end - this.#text.length)
    if (covered > 0) piece.cover(from, '-'.repeat(covered))
    const isOver = this.#openSecret === 'word' ? covered < part.length : end >= 0
    if (isOver) this.#openSecret = undefined
    this.#text = text.slice(0, this.#text.length + covered).slice(-CONTEXT * 2)
    this.#decided = this.#text.length
    return covered
  }

  #cover(text: string, { start, end, kind, identity }: Secret): void {
    const number = this.#numbers.numberOf(identity ?? text.slice(start, end))
    const mark = formatMark(kind, number, end - start)
    for (const { piece, start: begin, from, length } of this.#places) {
      const first = Math.max(start, begin)
      const last = Math.min(end, begin + length)
      if (first < last) piece.cover(from + first - begin, mark.slice(first - start, last - start))
    }
  }
}
