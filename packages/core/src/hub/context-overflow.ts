import {
  ANTHROPIC_WORDS,
  OUTPUT_LIMIT_WORDS,
  OVERFLOW_CODES,
  OVERFLOW_WORDINGS,
  RATE_WORDS,
} from './context-overflow-wordings.ts'

/** The numbers of a context overflow, as far as the upstream gave them. */
export interface OverflowCounts {
  /** The tokens of the prompt. */
  readonly tokens?: number | undefined
  /** The tokens asked for as an answer. */
  readonly output?: number | undefined
  /** What the context holds. */
  readonly limit?: number | undefined
}

/**
 * Claude Code lowers `max_tokens` to the room that is left less 1,000, and gives up without compacting when
 * that is under 3,000: below their sum only the words of a prompt that is too long help it.
 */
const LEAST_USEFUL_ROOM = 4000

/** Long enough for every wording with the words in front of it, short enough to search in no time. */
const SEARCHED_CHARS = 4000

/** An upstream's words about a context overflow in Anthropic's form; nothing when they are about something else. */
export function contextOverflowMessage(upstreamMessage: string, code?: string): string | undefined {
  const text = upstreamMessage.slice(0, SEARCHED_CHARS)
  const anthropic = ANTHROPIC_WORDS.exec(text)
  if (anthropic !== null) return upstreamMessage.slice(anthropic.index)
  const coded = code !== undefined && OVERFLOW_CODES.has(code.toLowerCase())
  if (!coded && (RATE_WORDS.test(text) || OUTPUT_LIMIT_WORDS.test(text))) return undefined
  for (const { pattern } of OVERFLOW_WORDINGS) {
    const match = pattern.exec(text)
    if (match !== null) return describeOverflow(countsOf(match.groups ?? {}), upstreamMessage)
  }
  return coded ? describeOverflow({}, upstreamMessage) : undefined
}

/** The words for an overflow with these counts; the upstream's own words stand in for numbers it did not give. */
export function describeOverflow(counts: OverflowCounts, upstreamMessage: string): string {
  const { tokens, limit, output = 0 } = counts
  if (tokens === undefined || limit === undefined) return withoutNumbers(upstreamMessage)
  if (tokens > limit) return tooLong(tokens, limit)
  if (tokens + output <= limit) return withoutNumbers(upstreamMessage)
  if (limit - tokens < LEAST_USEFUL_ROOM) return tooLong(tokens + output, limit)
  return `input length and \`max_tokens\` exceed context limit: ${tokens} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`
}

function tooLong(tokens: number, limit: number): string {
  return `prompt is too long: ${tokens} tokens > ${limit} maximum`
}

function withoutNumbers(upstreamMessage: string): string {
  if (upstreamMessage.trim() === '') return 'prompt is too long'
  return /^prompt is too long/i.test(upstreamMessage)
    ? upstreamMessage
    : `prompt is too long: ${upstreamMessage}`
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
