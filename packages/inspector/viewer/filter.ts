import type { ExchangeEntry } from '../src/page/page-data.ts'

/** One part of what was typed into the filter. */
export interface Term {
  readonly field: string
  readonly value: string
  readonly isNegated: boolean
}

/** What the letters stand for, for the help. */
export const FIELDS: Readonly<Record<string, string>> = {
  m: 'model, asked for or called',
  u: 'upstream or route',
  t: 'tool that the model called',
  s: 'status, or how it ended: clean, error, aborted, waiting',
  n: 'code of a note',
  a: 'agent: main, subagent, side or its id',
  d: 'dialect of the client or the upstream',
  e: 'everything that did not end well (takes no word)',
}

const PART = /(!?)(?:~([a-z])\s*)?(?:"([^"]*)"?|([^\s"~]+))|(!?)~(e)(?=\s|$)/g

/** Reads what was typed: words, `~m word` for a field, `!` in front of what must not be. */
export function parseFilter(text: string): Term[] {
  const terms: Term[] = []
  for (const match of text.replaceAll(/(!?)~e(?=\s|$)/g, '$1~e x').matchAll(PART)) {
    const [, not = '', field = '', quoted, plain] = match
    const value = (quoted ?? plain ?? '').toLowerCase()
    if (value !== '') terms.push({ field, value, isNegated: not === '!' })
  }
  return terms
}

/** In which texts the words of a filter are, by the ids of their exchanges. */
export interface Found {
  /** Those with all words that must be there. */
  readonly wanted: ReadonlySet<string>
  /** Those with one of the words that must not. */
  readonly unwanted: ReadonlySet<string>
}

/** The words of a filter that are looked for in texts. */
export function wordsOf(terms: readonly Term[]): Readonly<Record<'wanted' | 'unwanted', readonly string[]>> {
  const words = terms.filter(({ field }) => field === '')
  return {
    wanted: words.flatMap(({ value, isNegated }) => (isNegated ? [] : [value])),
    unwanted: words.flatMap(({ value, isNegated }) => (isNegated ? [value] : [])),
  }
}

/** Whether an entry passes; until it is known in which texts the words are, its title tells. */
export function passes(entry: ExchangeEntry, terms: readonly Term[], found: Found | undefined): boolean {
  const { wanted } = wordsOf(terms)
  const isTextual =
    wanted.length === 0 ||
    found?.wanted.has(entry.id) === true ||
    wanted.every((word) => inTitle(entry, word))
  if (!isTextual || found?.unwanted.has(entry.id) === true) return false
  return terms.every((term) => {
    if (term.field === '' && !term.isNegated) return true
    return matches(entry, term) !== term.isNegated
  })
}

function inTitle({ title, number }: ExchangeEntry, word: string): boolean {
  return title.toLowerCase().includes(word) || `#${number}` === word
}

function matches(entry: ExchangeEntry, { field, value }: Term): boolean {
  const has = (...texts: readonly (string | undefined)[]): boolean =>
    texts.some((text) => text?.toLowerCase().includes(value) === true)
  switch (field) {
    case 'm':
      return has(entry.asked, entry.called, entry.shownAs)
    case 'u':
      return has(entry.upstream, entry.route)
    case 't':
      return has(...entry.tools)
    case 's':
      return String(entry.status) === value || entry.state === value
    case 'n':
      return has(...entry.notes)
    case 'a':
      return has(entry.agent.kind, entry.agent.id)
    case 'd':
      return has(entry.client, entry.dialect)
    case 'e':
      return ['error', 'aborted', 'interrupted'].includes(entry.state)
    default:
      return inTitle(entry, value)
  }
}
