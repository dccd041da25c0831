import { ANTHROPIC_WORDS } from '../errors/context-overflow-wordings.ts'
import type { OverflowCounts } from '../hub/error.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { ClientHabits } from './client-habits.ts'

/** By what its requests are recognised. */
export const claudeCodeMarks = {
  /** The beginning of a line of its system prompt that is another one in every request. */
  billingLine: 'x-anthropic-billing-header:',
  /** The tags around its own words to the model inside of a user's turn. */
  reminderBegin: '<system-reminder>',
  reminderEnd: '</system-reminder>',
  /** The beginning of the names of its own headers. */
  headerPrefix: 'x-claude-code-',
  /** Another header of its own, which says how it was started. */
  appHeader: 'x-app',
  /** Its version, which is another one in each release and each build; the first group is what comes before it. */
  version: /\b(cc_version=)[^;\s"]*/g,
  /** Today's date in its words, of all releases that were looked at; the first group is what comes before it. */
  date: /\b([Tt]oday's date(?: is(?: now)?)?:? )\d{4}[-/]\d{2}[-/]\d{2}/g,
  /** The heading below which it writes the date outside of the system prompt. */
  dateHeading: '# currentDate',
} as const

const { billingLine, reminderBegin, reminderEnd, headerPrefix } = claudeCodeMarks

/** The session in the user's id of older versions. */
const SESSION_SUFFIX = /_session_([\w-]{1,64})$/
const MAX_SESSION_LENGTH = 64

/** Also LiteLLM's words, which it sends along. */
const NO_RESULT = /^\[?tool result missing|^\[?system: tool execution (?:skipped|interrupted)/i

/** Anthropic's Claude Code, and the agents that it starts. */
export const claudeCode = {
  name: 'claude-code',
  startUpCalls: [
    { method: 'HEAD', path: '/api/hello' },
    { method: 'POST', path: '/api/event_logging/batch', answer: {} },
  ],
  sessionHeader: `${headerPrefix}session-id`,
  subagentHeader: `${headerPrefix}agent-id`,

  /** A JSON string today, a suffix in older versions. */
  sessionOf(userId) {
    try {
      const value: unknown = JSON.parse(userId)
      const session = isJsonObject(value) ? value['session_id'] : undefined
      return typeof session === 'string' && session !== '' ? session.slice(0, MAX_SESSION_LENGTH) : undefined
    } catch {
      return SESSION_SUFFIX.exec(userId)?.[1]
    }
  },

  isForProviderOnly: (text) => text.startsWith(billingLine),
  isReminder: (text) => text.startsWith(reminderBegin),
  saysNoResult: (words) => NO_RESULT.test(words),
} as const satisfies ClientHabits

/** Words to the model inside of a user's turn, in the form in which models know that they are not the user's. */
export function asReminder(text: string): string {
  return `${reminderBegin}\n${text}\n${reminderEnd}`
}

/**
 * It lowers `max_tokens` to the room that is left less 1,000, and gives up without compacting when that is under
 * 3,000: below their sum only the words of a prompt that is too long help it.
 */
const MIN_USEFUL_ROOM = 4000

/** The words for a context overflow on which it lowers `max_tokens` or shortens the conversation by itself. */
export function describeOverflow(counts: OverflowCounts, message: string): string {
  const { tokens, limit, output = 0 } = counts
  // Anthropic's own words need no others.
  if (message.search(ANTHROPIC_WORDS) === 0) return message
  if (tokens === undefined || limit === undefined) return message
  if (tokens > limit) return tooLong(tokens, limit)
  if (tokens + output <= limit) return message
  if (limit - tokens < MIN_USEFUL_ROOM) return tooLong(tokens + output, limit)
  return `input length and \`max_tokens\` exceed context limit: ${tokens} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`
}

function tooLong(tokens: number, limit: number): string {
  return `prompt is too long: ${tokens} tokens > ${limit} maximum`
}

const UNPARSED = '__unparsedToolInput'

/** The input of a call whose arguments are not a JSON object, in the form that it shows to its user. */
export function unparsedInput(json: string): object {
  return { [UNPARSED]: { raw: json, len: json.length } }
}

/** The arguments that were no JSON object, as the model wrote them; `undefined` for any other input. */
export function unparsedText(input: unknown): string | undefined {
  const unparsed = isJsonObject(input) ? input[UNPARSED] : undefined
  const raw = isJsonObject(unparsed) ? unparsed['raw'] : undefined
  return typeof raw === 'string' ? raw : undefined
}
