import type { BodyParts } from './body-parts.ts'
import { closingQuote, isEscapedAt } from './closing-quote.ts'
import { type MemberKind, memberKind } from './member-kind.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Strings that are nested more deeply are plain. */
const MAX_DEPTH = 64

/** Only this much of names, ids and indexes is looked at. */
const MAX_WORD = 64

/** An object or a list that is open. */
interface Level {
  isObject: boolean
  /** The names of the members that lead here, with the indexes beside them. Elements of a list have no names. */
  path: string
  /** The ids beside those members. */
  ids: string
}

/**
 * Finds the strings in JSON that are parts of texts. What belongs to one text is told by the path of its strings and by
 * the indexes and ids that precede them in the objects around them: `choices[].index`, `output_index`, `item_id`. It
 * checks nothing: of what is no JSON it makes what it can.
 */
export class JsonTexts {
  readonly #parts: BodyParts
  readonly #levels: Level[] = [{ isObject: false, path: '', ids: '' }]
  #depth = 0
  /** Whether this is JSON at all; not known before its first character. */
  #isJson: boolean | undefined
  /** What the open string is; undefined outside of strings. */
  #string: 'name' | MemberKind | undefined
  /** Whether the last byte that was scanned is a backslash that escapes the next one. */
  #isEscaped = false
  /** Whether the next string is the name of a member. */
  #expectsName = false
  #name = ''
  #kind: MemberKind = 'text'
  /** The name, id or index that is being read. */
  #word = ''

  constructor(parts: BodyParts) {
    this.#parts = parts
  }

  /** Whether no value is open. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#string === undefined
  }

  /** Whether nothing was scanned since the last reset. */
  get isUntouched(): boolean {
    return this.#isJson === undefined
  }

  /** A value has passed that was not scanned; nothing may have been scanned before it. */
  passValue(): void {
    this.#isJson = true
  }

  /** What follows is something new. */
  reset(): void {
    this.#depth = 0
    this.#isJson = undefined
    this.#string = undefined
    this.#isEscaped = false
    this.#expectsName = false
  }

  /** Goes on with the bytes of a piece, from and to. */
  scan(bytes: string, from: number, to: number): void {
    let at = this.#isJson === undefined ? this.#begin(bytes, from, to) : from
    if (this.#isJson !== true) return
    while (at < to)
      at = this.#string === undefined ? this.#scanTokens(bytes, at, to) : this.#scanString(bytes, at, to)
  }

  /** Passes white space; any other character decides. */
  #begin(bytes: string, from: number, to: number): number {
    let at = from
    while (at < to && bytes.charCodeAt(at) <= 0x20) at += 1
    if (at < to) {
      const first = bytes.charCodeAt(at)
      this.#isJson = first === BRACE || first === BRACKET || first === QUOTE
    }
    return at
  }

  /** Goes on outside of strings, up to the beginning of one. */
  #scanTokens(bytes: string, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const code = bytes.charCodeAt(at)
      if (code === QUOTE) {
        this.#openString()
        return at + 1
      }
      if (code === COLON) this.#expectsName = false
      else if (code === COMMA) this.#endMember()
      else if (code === BRACE || code === BRACKET) this.#open(code === BRACE)
      else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) this.#close()
      else if (this.#kind === 'index' && code >= ZERO && code <= NINE) this.#addToWord(bytes, at, at + 1)
    }
    return to
  }

  #openString(): void {
    const { isObject, path, ids } = this.#level
    if (this.#depth > MAX_DEPTH) this.#string = 'label'
    else if (isObject && this.#expectsName) this.#string = 'name'
    else this.#string = isObject ? this.#kind : 'text'
    this.#word = ''
    if (this.#string === 'text') this.#parts.openText(isObject ? `${path}.${this.#name}` : path, ids)
  }

  /** Goes on within a string, and gives where its quote is passed or the bytes end. */
  #scanString(bytes: string, from: number, to: number): number {
    const end = this.#endOfString(bytes, from, to)
    if (this.#string === 'text') this.#parts.text(from, end)
    else if (this.#string !== 'label') this.#addToWord(bytes, from, end)
    if (end === to) return to
    this.#closeString()
    return end + 1
  }

  /** The place of the quote that ends a string, or where the bytes end. */
  #endOfString(bytes: string, from: number, to: number): number {
    const start = this.#isEscaped ? from + 1 : from
    this.#isEscaped = false
    const quote = closingQuote(bytes, start, to)
    if (quote >= 0) return quote
    this.#isEscaped = start <= to && isEscapedAt(bytes, to, start)
    return to
  }

  #closeString(): void {
    if (this.#string === 'name') {
      this.#name = this.#word
      this.#kind = memberKind(this.#word)
      this.#word = ''
    } else if (this.#string === 'id' || this.#string === 'index') {
      this.#level.ids += `#${this.#word}`
      this.#word = ''
    }
    this.#string = undefined
  }

  /** A number beside the texts of an object tells them apart from those of others. */
  #endMember(): void {
    if (this.#kind === 'index' && this.#word !== '') this.#level.path += `#${this.#word}`
    this.#word = ''
    this.#kind = 'text'
    this.#expectsName = this.#level.isObject
  }

  #open(isObject: boolean): void {
    const { isObject: isMember, path, ids } = this.#level
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) return
    const level = (this.#levels[this.#depth] ??= { isObject, path, ids })
    level.isObject = isObject
    level.path = isMember ? `${path}.${this.#name}` : path
    level.ids = ids
    this.#kind = 'text'
    this.#expectsName = isObject
  }

  #close(): void {
    this.#endMember()
    if (this.#depth > 0) this.#depth -= 1
    this.#expectsName = false
  }

  get #level(): Level {
    return this.#levels[Math.min(this.#depth, MAX_DEPTH)] as Level
  }

  #addToWord(bytes: string, from: number, to: number): void {
    const room = MAX_WORD - this.#word.length
    if (room > 0) this.#word += bytes.slice(from, Math.min(to, from + room))
  }
}
