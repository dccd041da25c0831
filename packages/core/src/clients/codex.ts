import { headerOf, type HeaderValues } from '../http/headers.ts'
import type { ClientHabits } from './client-habits.ts'

/** OpenAI's Codex. */
export const codex = {
  name: 'codex',
  agent: 'codex',
  readsOverflowInStream: true,
  sessionHeader: 'session-id',
} as const satisfies ClientHabits

/** Whether Codex asks: it names itself in two headers, `originator: codex_exec`, `user-agent: codex_exec/0.169.0 …`. */
export function isCodex(headers: HeaderValues): boolean {
  return ['originator', 'user-agent'].some((name) => /^codex/i.test(headerOf(headers, name) ?? ''))
}
