import { subagentOfHeaders } from '@hydra/core'
import { calledOf, dollarsOf } from '../page/exchange-entry.ts'
import type { AgentEntry, ExchangeEntry, ExchangeState } from '../page/page-data.ts'
import type { LiveExchange } from '../store/live-exchange.ts'
import { againOf } from '../serve/send-again.ts'
import { stateOf } from './session-reader.ts'

const STATES: Readonly<Record<NonNullable<LiveExchange['outcome']>, ExchangeState>> = {
  answered: 'clean',
  failed: 'error',
  aborted: 'aborted',
}

/** An exchange as the list shows it before anybody has read what it says; what was read earlier stays. */
export function roughEntry(
  exchange: LiveExchange,
  session: string,
  known: ExchangeEntry | undefined,
): ExchangeEntry {
  const { id, number, request, calls, begun, over, reported, answer, notes, outcome } = exchange
  return {
    title: '',
    isTurn: false,
    agent: agentOf(exchange),
    tools: [],
    ...known,
    id,
    session,
    number,
    state: stateOf(exchange) ?? STATES[outcome ?? 'answered'],
    begun: begun / 1000,
    span: (over ?? begun) - begun,
    client: request?.head.dialect ?? '',
    ...calledOf(calls.at(-1)?.via),
    ...(reported !== undefined && { asked: reported.clientModel, route: reported.route }),
    status: answer.status,
    ...dollarsOf(exchange.cost),
    notes: [...new Set(notes.map(({ code }) => code))],
    attempts: calls.length,
    again: againOf(exchange),
    size: request === undefined ? 0 : request.body.end - request.body.start,
  }
}

function agentOf({ request }: LiveExchange): AgentEntry {
  const id = subagentOfHeaders(request?.head.headers ?? {})
  return id === undefined ? { key: 'unread', kind: 'main' } : { key: `agent-${id}`, kind: 'subagent', id }
}
