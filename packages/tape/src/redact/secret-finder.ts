import { homeSpellingsOf, spellingsOf } from './spellings.ts'
import {
  beginsThere,
  findShapes,
  KEY_BEGINNING,
  lastTokenOf,
  mayHaveShapes,
  type Secret,
  unfinishedWords,
} from './shapes.ts'
import type { MarkKind } from './marks.ts'

/** Shorter values are placeholders and words of any text. */
const SHORTEST_SECRET = 8

/** Shorter home directories are no names. */
const SHORTEST_HOME = 4

/** So many characters of a known secret at a place where a text was cut off are taken for the secret. */
const SHORTEST_BEGINNING = 4

/** Finds secrets in text of one character per byte. */
export interface SecretFinder {
  /** Whether no secret goes on behind the end of an element of a list. */
  readonly canBeCut: boolean
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
    isSuspect,
    endsHarmless(text) {
      const last = text.charAt(text.length - 1)
      // A space may stand behind the word that a key follows, a letter in a key.
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
      const start = unfinishedWords(text, lastTokenOf(text))
      return spaced.length === 0 ? start : Math.min(start, unfinishedLiteral(text, spaced, 1))
    },
    findBeginning: (text, from) => findBeginning(text, from, literals),
  }
  return finder
}

/** The shortest literals that stand in all others. */
function triggersOf(literals: readonly Literal[]): readonly string[] {
  const texts = literals.map(({ text }) => text)
  return texts.filter((text) => !texts.some((other) => other !== text && text.includes(other)))
}

function literalsOf(secrets: readonly string[], homes: readonly string[]): readonly Literal[] {
  const keys = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => spellingsOf(secret).map((text) => literal(text, 'K', secret)))
  const places = homes
    .map((home) => home.replace(/[/\\]+$/, ''))
    .filter((home) => home.length >= SHORTEST_HOME)
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

/** Where the beginning of a literal stands at the end of a text. */
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
  let start = unfinishedLiteral(text, literals, SHORTEST_BEGINNING)
  const token = unfinishedWords(text, lastTokenOf(text))
  KEY_BEGINNING.lastIndex = Math.max(token, from)
  for (let match = KEY_BEGINNING.exec(text); match !== null; match = KEY_BEGINNING.exec(text)) {
    if (beginsThere(text, match.index)) start = Math.min(start, match.index)
  }
  start = Math.max(start, from)
  return start === text.length ? undefined : { start, end: text.length, kind: 'K', identity: undefined }
}
