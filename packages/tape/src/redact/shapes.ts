import { BEARER_WORD, JSON_WEB_TOKEN, keyPattern, SECRET_SHAPES } from '@hydra/core'
import type { MarkKind } from './marks.ts'

/** A part of a text that must not be written, by its bytes from and to. */
export interface Secret {
  readonly start: number
  readonly end: number
  readonly kind: MarkKind
  /** What it is told apart from others by; undefined for its own text. */
  readonly identity: string | undefined
}

/** Shorter words that begin like a key are none. */
const MIN_KEY_REST = 16

/** Keys by their shape, and JSON web tokens. */
const KEYS = new RegExp(`${keyPattern(MIN_KEY_REST)}|${JSON_WEB_TOKEN}`, 'g')

/** The characters of a mark are no part of a token: a second look finds nothing. */
const BEARER = new RegExp(`${BEARER_WORD}([\\w.+/=-]{16,})`, 'gi')

const PEM_LINE = '[A-Z ]{0,30}PRIVATE KEY-----'

/** A private key, also one whose end is missing: then as far as it can be one. */
const PEM = new RegExp(
  `-----BEGIN ${PEM_LINE}(?:\\s|\\\\)[\\w+/=\\s\\\\:,-]*?(?:-----END ${PEM_LINE}|(?![\\w+/=\\s\\\\:,-]))`,
  'g',
)

const PEM_END = new RegExp(`-----END ${PEM_LINE}`)

const UNFINISHED_PEM = /^-----BEGIN [A-Z ]{0,40}(?:-{0,5}|-----[\w+/=\s\\:,-]*)$/

const DOMAIN = /(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/y

/** Longer local parts are no addresses. */
export const MAX_LOCAL_PART = 64

const BEGINNINGS = SECRET_SHAPES.map(({ beginning }) => beginning)

/** What precedes a separator in the beginnings that end with it, which is a character of patterns as it is written. */
function beforeSeparator(separator: string): string {
  const ending = BEGINNINGS.filter((beginning) => beginning.endsWith(separator))
  return ending.map((beginning) => beginning.slice(0, -separator.length)).join('|')
}

const UNSEPARATED = BEGINNINGS.filter((beginning) => !/[-_.]$/.test(beginning)).join('|')

/**
 * What any text with a secret of a known shape contains. Every byte of every stream is tested with it, so it looks for
 * the rare character that most beginnings end with, and only then at what precedes it.
 */
const TRIGGER = new RegExp(
  [
    `-(?<=(?:----|${beforeSeparator('-')})-)`,
    `_(?<=(?:${beforeSeparator('_')})_)`,
    `\\.(?<=(?:${beforeSeparator('\\.')})\\.)`,
    `@|${UNSEPARATED}|eyJ|earer|EARER`,
  ].join('|'),
)

/** Whether a text may have the shape of a secret in it: false is certain. */
export function mayHaveShapes(text: string): boolean {
  return TRIGGER.test(text)
}

/** Finds how a key begins, for a text that was cut off there. */
export const KEY_BEGINNING: RegExp = new RegExp(`(?:${BEGINNINGS.join('|')}|eyJ|-----BEGIN)`, 'g')

const LOCAL = tableOf(/[\w.%+-]/)

const TOKEN = tableOf(/[\w.%+@/=-]/)

function tableOf(characters: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(characters.test(String.fromCharCode(code))))
}

/** Where the run of characters begins that a text ends with and that a key or an address is made of. */
export function lastTokenOf(text: string): number {
  let start = text.length
  while (start > 0 && TOKEN[text.charCodeAt(start - 1)] === 1) start -= 1
  return start
}

/** Where the run of such characters ends that begins at a place. */
export function endOfToken(text: string, start: number): number {
  let end = start
  while (end < text.length && TOKEN[text.charCodeAt(end)] === 1) end += 1
  return end
}

/** Everything in a text that has the shape of a secret. */
export function findShapes(text: string, found: Secret[]): void {
  for (const match of matchesOf(KEYS, text)) {
    // `task-force-of-the-company` is no key, `\nsk-…` in JSON is one.
    if (beginsThere(text, match.index)) found.push(key(match.index, match.index + match[0].length))
  }
  for (const match of matchesOf(BEARER, text)) {
    const end = match.index + match[0].length
    found.push(key(end - (match[1]?.length ?? 0), end))
  }
  if (text.includes('-----BEGIN')) {
    for (const match of matchesOf(PEM, text)) found.push(key(match.index, match.index + match[0].length))
  }
  findAddresses(text, found)
}

/** Like `matchAll`, but goes on one character behind the beginning of a match: rejected ones hide nothing. */
function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  let from = 0
  for (;;) {
    pattern.lastIndex = from
    const match = pattern.exec(text)
    if (match === null) return
    // The pattern is shared, so where it goes on is kept here.
    from = beginsThere(text, match.index) ? match.index + match[0].length : match.index + 1
    yield match
  }
}

function key(start: number, end: number): Secret {
  return { start, end, kind: 'K', identity: undefined }
}

/** From each `@` backwards and forwards: a pattern that begins with the local part would look at every word twice. */
function findAddresses(text: string, found: Secret[]): void {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    DOMAIN.lastIndex = at + 1
    if (!DOMAIN.test(text)) continue
    const end = DOMAIN.lastIndex
    const start = behindEscape(text, localPartBefore(text, at))
    if (start < at) found.push({ start, end, kind: 'E', identity: undefined })
  }
}

function localPartBefore(text: string, at: number): number {
  const least = Math.max(0, at - MAX_LOCAL_PART)
  let start = at
  while (start > least && LOCAL[text.charCodeAt(start - 1)] === 1) start -= 1
  return start
}

/** The `n` of a `\n` in JSON is no letter of the address behind it. */
function behindEscape(text: string, start: number): number {
  if (text[start - 1] !== '\\') return start
  return /^u[0-9a-fA-F]{4}/.test(text.slice(start, start + 5)) ? start + 5 : start + 1
}

/** Whether a word can begin at a place: behind a letter or digit only if that belongs to an escape. */
export function beginsThere(text: string, start: number): boolean {
  if (start === 0 || !/[A-Za-z0-9]/.test(text[start - 1] ?? '')) return true
  return /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2})$/.test(text.slice(Math.max(0, start - 6), start))
}

/** Where something begins at the end of a text that may go on as a secret of more than one word. */
export function unfinishedWords(text: string, token: number): number {
  const start = mayFollowBearer(text, token) ? beforeBearer(text, token) : token
  const pem = text.lastIndexOf('-----BEGIN')
  if (pem < 0 || pem >= start) return start
  const rest = text.slice(pem)
  return UNFINISHED_PEM.test(rest) && !PEM_END.test(rest) ? pem : start
}

/** Whether a place follows white space, and that follows white space or the last letter of `Bearer`. */
function mayFollowBearer(text: string, token: number): boolean {
  if (token < 7 || text.charCodeAt(token - 1) > 32) return false
  const before = text.charCodeAt(token - 2)
  return before <= 32 || before === 114 || before === 82
}

function beforeBearer(text: string, token: number): number {
  const bearer = /bearer\s{1,4}$/i.exec(text.slice(Math.max(0, token - 10), token))
  return bearer === null ? token : token - bearer[0].length
}

/** Where a private key ends that began before this text; -1 if it goes on. */
export function endOfPrivateKey(text: string): number {
  const match = PEM_END.exec(text)
  return match === null ? -1 : match.index + match[0].length
}
