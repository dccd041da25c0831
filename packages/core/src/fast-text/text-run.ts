import { MAX_SHORT, shortText } from './short-text.ts'
import { unescaped } from './unescaped.ts'
import { VisibleBytes } from './visible-bytes.ts'

/** How many texts a run holds at most. */
const MAX_TEXTS = 1024
/** Longer texts are copied in one go; for shorter ones that takes longer than byte by byte. */
const LONG_TEXT = 48

const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_VISIBLE = 0x20
const FIRST_OF_MANY = 0x80
const FIRST_LEAD = 0xc0
const FIRST_OF_FOUR = 0xf0

/** The escapes for which there is only one short form, which is also ours. */
const IS_SIMPLE_ESCAPE = new Uint8Array(256)
for (const letter of '"\\bfnrt') IS_SIMPLE_ESCAPE[letter.charCodeAt(0)] = 1

/** Characters that are written the same way inside every JSON string, in one byte. */
const IS_PLAIN = new Uint8Array(256).fill(1, FIRST_VISIBLE, FIRST_OF_MANY)
IS_PLAIN[QUOTE] = 0
IS_PLAIN[BACKSLASH] = 0

const NOTHING = new Uint8Array(0)
/** Where texts are put together; one for all runs. */
const joint = new Uint8Array(16 * 1024)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

/**
 * Texts of events that follow one another in a read, found by their places: as they are between the quotes of
 * their JSON strings. They are never made into strings where they can be copied as bytes.
 */
export class TextRun extends VisibleBytes {
  count = 0
  /** How many characters the texts have together, as a string counts them, without their escapes. */
  length = 0
  /** Begin and end of each text in turn. */
  readonly #places = new Uint32Array(MAX_TEXTS * 2)
  #isAscii = true
  #hasEscapes = false
  /** All texts as one, once somebody has asked. */
  #escaped: string | undefined
  /** Of the text that was looked at last. */
  #lastBegin = 0
  #lastEnd = 0
  #lastLength = 0
  #lastIsAscii = true
  #lastHasEscapes = false

  get isFull(): boolean {
    return this.count === MAX_TEXTS
  }

  /** Begins a run anew, in other bytes. */
  reset(bytes: Uint8Array): void {
    this.show(bytes)
    this.count = 0
    this.length = 0
    this.#isAscii = true
    this.#hasEscapes = false
    this.#escaped = undefined
  }

  /**
   * Where the quote is that ends a text which can be copied as it is. Gives -1 for one that is not complete, and
   * for one with escapes that we would write otherwise.
   */
  endOfText(begin: number): number {
    const { bytes, end } = this
    let less = 0
    let isAscii = true
    let hasEscapes = false
    for (let at = begin; at < end; at += 1) {
      const byte = bytes[at] as number
      if (IS_PLAIN[byte] === 1) continue
      if (byte === QUOTE) {
        this.#lastBegin = begin
        this.#lastEnd = at
        this.#lastLength = at - begin - less
        this.#lastIsAscii = isAscii
        this.#lastHasEscapes = hasEscapes
        return at
      }
      if (byte < FIRST_VISIBLE) return -1
      if (byte === BACKSLASH) {
        at += 1
        less += 1
        hasEscapes = true
        if (IS_SIMPLE_ESCAPE[bytes[at] as number] !== 1) return -1
      } else if (byte >= FIRST_OF_MANY) {
        isAscii = false
        // A character of four bytes counts as two, every other one as one.
        if (byte < FIRST_LEAD) less += 1
        else if (byte >= FIRST_OF_FOUR) less -= 1
      }
    }
    return -1
  }

  /** Takes the text that was looked at last. */
  add(): void {
    const place = this.count * 2
    this.#places[place] = this.#lastBegin
    this.#places[place + 1] = this.#lastEnd
    this.count += 1
    this.length += this.#lastLength
    if (!this.#lastIsAscii) this.#isAscii = false
    if (this.#lastHasEscapes) this.#hasEscapes = true
  }

  /** Whether the bytes from here to there are text at all, and can be handed on as they are. */
  isSound(begin: number, end: number): boolean {
    if (this.#isAscii) return true
    try {
      strictDecoder.decode(this.bytes.subarray(begin, end))
      return true
    } catch {
      return false
    }
  }

  /** Whether the bytes of each text are text. */
  get hasSoundTexts(): boolean {
    if (this.#isAscii) return true
    for (let index = 0; index < this.count; index += 1) {
      if (!this.isSound(this.beginAt(index), this.endAt(index))) return false
    }
    return true
  }

  /** Whether no text has an escape: then each is what it looks like, without a quote or a line break. */
  get isPlain(): boolean {
    return !this.#hasEscapes
  }

  /** One of the texts, still escaped. */
  textAt(index: number): string {
    return this.count === 1 ? this.escaped : this.#textAt(index)
  }

  #textAt(index: number): string {
    return this.#text(this.bytes, this.beginAt(index), this.endAt(index))
  }

  /** Where one of the texts begins, and where it ends. */
  beginAt(index: number): number {
    return this.#places[index * 2] as number
  }

  endAt(index: number): number {
    return this.#places[index * 2 + 1] as number
  }

  /** One of the texts, without its escapes. */
  unescapedAt(index: number): string {
    return unescaped(this.textAt(index))
  }

  /** All of the texts as one, still escaped. */
  get escaped(): string {
    this.#escaped ??= this.#joined()
    return this.#escaped
  }

  /** All of the texts as one, without their escapes. */
  get unescaped(): string {
    return unescaped(this.escaped)
  }

  /** How many bytes the texts take with so many between any two of them. */
  sizeWith(between: number): number {
    let size = (this.count - 1) * between
    const places = this.#places
    for (let place = 0; place < this.count * 2; place += 2) {
      size += (places[place + 1] as number) - (places[place] as number)
    }
    return size
  }

  /** Writes the texts with something between any two of them, and gives where they end. */
  copyTo(target: Uint8Array, start: number, between: Uint8Array): number {
    const { bytes } = this
    const places = this.#places
    let at = start
    for (let index = 0; index < this.count; index += 1) {
      if (index > 0) {
        target.set(between, at)
        at += between.length
      }
      const begin = places[index * 2] as number
      const end = places[index * 2 + 1] as number
      if (end - begin > LONG_TEXT) {
        target.set(bytes.subarray(begin, end), at)
        at += end - begin
      } else {
        for (let from = begin; from < end; from += 1, at += 1) target[at] = bytes[from] as number
      }
    }
    return at
  }

  #joined(): string {
    if (this.count === 1) return this.#textAt(0)
    const size = this.sizeWith(0)
    const target = size <= joint.length ? joint : new Uint8Array(size)
    return this.#text(target, 0, this.copyTo(target, 0, NOTHING))
  }

  #text(bytes: Uint8Array, begin: number, end: number): string {
    if (this.#isAscii && end - begin <= MAX_SHORT) return shortText(bytes, begin, end)
    return decoder.decode(bytes.subarray(begin, end))
  }
}
