import type { StreamForm } from '../dialects/dialect.ts'
import { headerOf, type HeaderValues } from '../http/headers.ts'
import { claudeCode } from './claude-code.ts'
import type { ClientHabits, StartUpCall } from './client-habits.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { qwenCode } from './qwen-code.ts'

/** The one list of clients with habits of their own. */
const CLIENTS: readonly ClientHabits[] = [claudeCode, cline, codex, geminiCli, qwenCode]

/** What clients call when they start. */
export const startUpCalls: readonly StartUpCall[] = CLIENTS.flatMap((client) => client.startUpCalls ?? [])

/** The session that a request belongs to, by the header of the client that sent it. */
export function sessionOfHeaders(headers: HeaderValues): string | undefined {
  return firstOf(({ sessionHeader }) =>
    sessionHeader === undefined ? undefined : headerOf(headers, sessionHeader),
  )
}

/** Whether a request comes from an agent that another agent has started. */
export function isSubagent(headers: HeaderValues): boolean {
  return subagentOfHeaders(headers) !== undefined
}

/** What the client calls the agent that another agent has started; undefined for requests of any other agent. */
export function subagentOfHeaders(headers: HeaderValues): string | undefined {
  return firstOf(({ subagentHeader }) =>
    subagentHeader === undefined ? undefined : headerOf(headers, subagentHeader),
  )
}

/**
 * Whether a failed answer shall also break its connection. Agents and SDKs give their name, and most of them ask again
 * only then; a program that gives none reads the error, and that is all it needs.
 */
export function wantsBreak(headers: HeaderValues): boolean {
  if (headerOf(headers, 'user-agent') === undefined) return false
  return !hasHabit(headers, 'givesUpOnBreak')
}

/** The session that is named inside of a user's id. */
export function sessionOfUserId(userId: string): string | undefined {
  return firstOf((client) => client.sessionOf?.(userId))
}

/** Whether a block of a system prompt is for the client's own provider only. */
export function isForProviderOnly(text: string): boolean {
  return CLIENTS.some((client) => client.isForProviderOnly?.(text))
}

/** Whether a text in a user's turn was written by a client and not by the user. */
export function isReminder(text: string): boolean {
  return CLIENTS.some((client) => client.isReminder?.(text))
}

/** Whether the words of a tool's result only say that there is none. */
export function saysNoResult(words: string): boolean {
  return CLIENTS.some((client) => client.saysNoResult?.(words))
}

/** The form of a stream for the client that asks: of some it is known what they do when an answer fails. */
export function streamFormFor(form: StreamForm, headers: HeaderValues): StreamForm {
  if (hasHabit(headers, 'goesOnAfterBreak')) return { ...form, failsWithoutError: true }
  return hasHabit(headers, 'readsOverflowInStream') ? { ...form, streamsOverflow: true } : form
}

function hasHabit(
  headers: HeaderValues,
  habit: 'givesUpOnBreak' | 'goesOnAfterBreak' | 'readsOverflowInStream',
): boolean {
  const name = headerOf(headers, 'user-agent')?.toLowerCase()
  return CLIENTS.some(
    ({ agent, [habit]: has }) => has && agent !== undefined && name?.startsWith(agent.toLowerCase()),
  )
}

function firstOf(find: (client: ClientHabits) => string | undefined): string | undefined {
  for (const client of CLIENTS) {
    const found = find(client)
    if (found !== undefined) return found
  }
  return undefined
}
