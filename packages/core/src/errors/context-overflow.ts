import type { OverflowCounts } from '../hub/error.ts'
import {
  ANTHROPIC_WORDS,
  OUTPUT_LIMIT_WORDS,
  OVERFLOW_CODES,
  OVERFLOW_WORDINGS,
  RATE_WORDS,
} from './context-overflow-wordings.ts'

/** Long enough for every wording with the words in front of it, short enough to search in no time. */
const MAX_SEARCHED_LENGTH = 4000

/** A context overflow that an upstream reported. */
export interface Overflow {
  readonly counts: OverflowCounts
  /** The upstream's words about it, which begin with plain ones. */
  readonly words: string
}

const PLAIN_WORDS = 'prompt is too long'

/** An overflow whose numbers came as fields. */
export function countedOverflow(counts: OverflowCounts, upstreamWords: string): Overflow {
  return { counts, words: plainly(upstreamWords) }
}

/** The overflow that an upstream's words are about; nothing when they are about something else. */
export function overflowIn(upstreamWords: string, code?: string): Overflow | undefined {
  const text = upstreamWords.slice(0, MAX_SEARCHED_LENGTH)
  const anthropic = ANTHROPIC_WORDS.exec(text)
  if (anthropic !== null) {
    const words = upstreamWords.slice(anthropic.index)
    return countedOverflow(countsIn(words) ?? {}, words)
  }
  const isCoded = code !== undefined && OVERFLOW_CODES.has(code.toLowerCase())
  if (!isCoded && (RATE_WORDS.test(text) || OUTPUT_LIMIT_WORDS.test(text))) return undefined
  const counts = countsIn(text)
  return counts === undefined && !isCoded ? undefined : countedOverflow(counts ?? {}, upstreamWords)
}

/** Anthropic's words, and those that begin like them, are plain already. */
function plainly(words: string): string {
  if (words.trim() === '') return PLAIN_WORDS
  if (words.toLowerCase().startsWith(PLAIN_WORDS) || words.search(ANTHROPIC_WORDS) === 0) return words
  return `${PLAIN_WORDS}: ${words}`
}

function countsIn(text: string): OverflowCounts | undefined {
  for (const { pattern } of OVERFLOW_WORDINGS) {
    const match = pattern.exec(text)
    if (match !== null) return countsOf(match.groups ?? {})
  }
  return undefined
}

function countsOf(groups: Readonly<Record<string, string | undefined>>): OverflowCounts {
  const limit = numberOf(groups['limit'])
  const output = numberOf(groups['output'])
  const total = numberOf(groups['total'])
  const excess = numberOf(groups['excess'])
  const tokens = numberOf(groups['tokens']) ?? sum(total, negative(output)) ?? sum(limit, excess)
  return { tokens, output, limit }
}

function numberOf(digits: string | undefined): number | undefined {
  const plain = digits?.replaceAll(',', '')
  return plain === undefined || plain === '' ? undefined : Number(plain)
}

function negative(value: number | undefined): number | undefined {
  return value === undefined ? undefined : -value
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right
}
