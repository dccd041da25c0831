import { homeSpellingsOf, spellingsOf } from './spellings.ts'
import {
  beginsThere,
  findShapes,
  KEY_BEGINNING,
  lastTokenOf,
  MAX_LOCAL_PART,
  mayHaveShapes,
  type Secret,
  unfinishedWords,
} from './shapes.ts'
import type { MarkKind } from './marks.ts'

/** Shorter values are placeholders and words of any text. */
const MIN_SECRET = 8

/** Shorter home directories are no names. */
const MIN_HOME = 4

/** This many characters of a known secret at a place where a text was cut off are taken for the secret. */
const MIN_BEGINNING = 4

/**
 * A word that is longer and holds no beginning of a secret is not waited for as a whole: strings that are no parts of a
 * text, put together as if they were, make words without end.
 */
const LONG_WORD = 128

/** Finds secrets in text of one character per byte. */
export interface SecretFinder {
  /** Whether no secret goes on behind the end of an element of a list. */
  readonly canBeCut: boolean
  /** Whether no secret goes on behind a quote or an empty line. */
  readonly endsAtQuotes: boolean
  /** Whether it is worth while to look: false is certain. */
  isSuspect(text: string): boolean
  /** Whether a text that is not suspect ends in no beginning of a secret; false is no answer. */
  endsHarmless(text: string): boolean
  /** All secrets, in order, without overlaps. */
  find(text: string): readonly Secret[]
  /** Where at the end of the text something begins that may go on as a secret; its length if nothing does. */
  pendingFrom(text: string): number
  /** What at the end of a text that was cut off looks like the beginning of a secret, from a place on. */
  findBeginning(text: string, from: number): Secret | undefined
}

/** No secret of a known shape has these inside: the ends of most parts of a stream of events. */
const HARMLESS_ENDS: ReadonlySet<string> = new Set([
  '"',
  '}',
  ']',
  '{',
  '[',
  '\n',
  ',',
  ';',
  '!',
  '?',
  '(',
  ')',
])

const NOTHING: readonly Secret[] = []

const QUOTE_OR_EMPTY_LINE = /"|\n\r?\n/

interface Literal {
  readonly text: string
  readonly kind: MarkKind
  readonly identity: string
}

/** A finder of known values, of home directories, and of everything that has the shape of a secret. */
export function createSecretFinder(secrets: readonly string[], homes: readonly string[]): SecretFinder {
  const literals = literalsOf(secrets, homes)
  const spaced = literals.filter(({ text }) => lastTokenOf(text) > 0)
  const inSpaced = new Set(spaced.flatMap(({ text }) => text.split('')))
  const triggers = triggersOf(literals)
  const isSuspect = (text: string): boolean => {
    // One pattern of all of them takes several times as long.
    for (const trigger of triggers) if (text.includes(trigger)) return true
    return mayHaveShapes(text)
  }
  const finder: SecretFinder = {
    canBeCut: literals.every(({ text }) => !text.includes('},') && !text.includes('],')),
    endsAtQuotes: !literals.some(({ text }) => QUOTE_OR_EMPTY_LINE.test(text)),
    isSuspect,
    endsHarmless(text) {
      const last = text.charAt(text.length - 1)
      // A space may follow the word `Bearer`, a letter may be part of a key.
      return HARMLESS_ENDS.has(last) && !inSpaced.has(last)
    },
    find(text) {
      if (!isSuspect(text)) return NOTHING
      const found: Secret[] = []
      for (const each of literals) findLiteral(text, each, found)
      findShapes(text, found)
      return merge(text, found)
    },
    pendingFrom(text) {
      const token = lastTokenOf(text)
      const words = unfinishedWords(text, token)
      const isLong = words === token && text.length - token > LONG_WORD && !mayBeSecret(text, token)
      const start = isLong ? unfinishedInLongWord(text, literals) : words
      return spaced.length === 0 ? start : Math.min(start, unfinishedLiteral(text, spaced, 1))
    },
    findBeginning: (text, from) => findBeginning(text, from, literals),
  }
  return finder
}

/** The shortest literals that all others contain. */
function triggersOf(literals: readonly Literal[]): readonly string[] {
  const texts = literals.map(({ text }) => text)
  return texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)))
}

function literalsOf(secrets: readonly string[], homes: readonly string[]): readonly Literal[] {
  const keys = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap((secret) => spellingsOf(secret).map((text) => literal(text, 'K', secret)))
  const places = homes
    .map((home) => home.replace(/[/\\]+$/, ''))
    .filter((home) => home.length >= MIN_HOME)
    .flatMap((home) => homeSpellingsOf(home).map((text) => literal(text, 'H', home)))
  const all = new Map([...places, ...keys].map((each) => [each.text, each]))
  return [...all.values()]
}

function literal(text: string, kind: MarkKind, identity: string): Literal {
  return { text, kind, identity }
}

function findLiteral(text: string, { text: value, kind, identity }: Literal, found: Secret[]): void {
  for (let start = text.indexOf(value); start >= 0; start = text.indexOf(value, start + 1)) {
    const end = start + value.length
    // `/u/meg` and `/srv/u/me` are other folders than `/u/me`.
    if (kind === 'H' && (!beginsThere(text, start) || /[A-Za-z0-9_]/.test(text[end] ?? ''))) continue
    found.push({ start, end, kind, identity })
  }
}

/** Secrets that overlap are one. */
function merge(text: string, found: Secret[]): readonly Secret[] {
  if (found.length < 2) return found
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Secret[] = []
  for (const secret of found) {
    const last = merged.at(-1)
    if (last === undefined || secret.start >= last.end) merged.push(secret)
    else merged[merged.length - 1] = join(text, last, secret)
  }
  return merged
}

function join(text: string, one: Secret, other: Secret): Secret {
  const kind = one.kind === 'K' || other.kind === 'K' ? 'K' : one.kind
  if (one.end >= other.end) return { ...one, kind }
  return { start: one.start, end: other.end, kind, identity: text.slice(one.start, other.end) }
}

/** Whether a word may be a key or an address, from what is there of it. */
function mayBeSecret(text: string, token: number): boolean {
  return text.includes('@', token) || keyBeginningIn(text, token) !== undefined
}

/** Where something begins in the last characters of a word, of which the first are part of no secret. */
function unfinishedInLongWord(text: string, literals: readonly Literal[]): number {
  return Math.min(text.length - MAX_LOCAL_PART, unfinishedLiteral(text, literals, 1))
}

/** The first place in a text, from one on, where a key begins. */
function keyBeginningIn(text: string, from: number): number | undefined {
  KEY_BEGINNING.lastIndex = from
  for (let match = KEY_BEGINNING.exec(text); match !== null; match = KEY_BEGINNING.exec(text)) {
    if (beginsThere(text, match.index)) return match.index
  }
  return undefined
}

/** Where a text ends with the beginning of a literal. */
function unfinishedLiteral(text: string, literals: readonly Literal[], shortest: number): number {
  let start = text.length
  const last = text.charCodeAt(text.length - 1)
  for (const { text: value } of literals) {
    const longest = Math.min(value.length - 1, text.length)
    for (let length = longest; length >= shortest && text.length - length < start; length -= 1) {
      // Almost no text ends like this: to cut off every beginning would cost more than all the rest.
      if (value.charCodeAt(length - 1) !== last) continue
      if (text.endsWith(value.slice(0, length))) start = text.length - length
    }
  }
  return start
}

function findBeginning(text: string, from: number, literals: readonly Literal[]): Secret | undefined {
  let start = unfinishedLiteral(text, literals, MIN_BEGINNING)
  const token = unfinishedWords(text, lastTokenOf(text))
  start = Math.min(start, keyBeginningIn(text, Math.max(token, from)) ?? text.length)
  start = Math.max(start, from)
  return start === text.length ? undefined : { start, end: text.length, kind: 'K', identity: undefined }
}
