import type { Cost } from '@hydra/core'
import { withoutReminders, type TapedExchange } from '@hydra/tape'
import { callerOf } from '@hydra/tape'
import type { CallSummary, ExchangeSummary, RequestSummary, Utterance } from '../summary/session-summary.ts'
import type { AgentEntry, ExchangeEntry, ExchangeState } from './page-data.ts'

const MAX_TITLE = 120

/** What an summary alone does not say. */
export interface EntryFacts {
  readonly id: string
  readonly session: string
  readonly agent: AgentEntry
  /** Milliseconds since the epoch at which the times of the summary begin. */
  readonly origin: number
  /** For exchanges that are not over. */
  readonly state?: ExchangeState | undefined
  readonly route?: string | undefined
  readonly again?: string | undefined
}

/** An exchange as the list shows it. */
export function exchangeEntry(
  exchange: TapedExchange,
  summary: ExchangeSummary,
  facts: EntryFacts,
): ExchangeEntry {
  const { id, session, agent, origin, state, route, again } = facts
  const { request, calls, times, tokens, notes, ending, status, number } = summary
  return {
    id,
    session,
    number,
    agent,
    ...titleOf(request),
    state: state ?? ending.kind,
    begun: origin + times.begun / 1000,
    span: times.over - times.begun,
    firstToken: waited(times),
    client: callerOf(exchange).dialect,
    ...calledOf(calls.at(-1)?.via),
    asked: request?.model,
    route,
    status,
    tokens,
    ...dollarsOf(exchange.end?.cost),
    notes: [...new Set(notes.map(({ code }) => code))],
    tools: toolsOf(summary),
    attempts: calls.length,
    size: (exchange.request ?? exchange.calls[0]?.request)?.body.length ?? 0,
    continues: request?.continues?.exchange,
    again,
  }
}

/** Where a call went, and which model answered under which name. */
export function calledOf(
  via: CallSummary['via'],
): Pick<ExchangeEntry, 'dialect' | 'called' | 'shownAs' | 'upstream'> {
  if (via === undefined) return {}
  return { dialect: via.dialect, called: via.model, shownAs: via.toldModel, upstream: via.upstream }
}

/** What an exchange cost and what the cache saved, where that is known. */
export function dollarsOf(cost: Cost | undefined): Pick<ExchangeEntry, 'cost' | 'costUnknown' | 'saved'> {
  return { cost: cost?.usd, costUnknown: cost?.unknown, saved: cost?.savedByCache }
}

/** Whoever asked waited for the tries that failed too. */
function waited({ firstToken, begun }: ExchangeSummary['times']): number | undefined {
  return firstToken === undefined ? undefined : firstToken - begun
}

function toolsOf({ answer }: ExchangeSummary): string[] {
  const calls = (answer?.utterances ?? []).filter(({ kind }) => kind === 'call')
  return calls.map(({ name = '?' }) => name)
}

/** What a person typed last, if that is new; else the tools whose results are. */
function titleOf(request: RequestSummary | undefined): Pick<ExchangeEntry, 'title' | 'isTurn'> {
  if (request === undefined) return { title: '(no request)', isTurn: false }
  const typed = request.fresh.findLast(isTyped)
  const results = request.fresh.filter(({ kind }) => kind === 'result')
  // Clients put words of their own behind results; what was typed then came in an earlier request.
  if (typed !== undefined && (results.length === 0 || request.continues === undefined)) {
    return { title: shortLine(typedText(typed)), isTurn: true }
  }
  if (results.length > 0) {
    const names = [...new Set(results.map(({ name = '?' }) => name))]
    return { title: shortLine(`results of ${names.join(', ')}`), isTurn: false }
  }
  if (request.fresh.length === 0 && request.continues !== undefined)
    return { title: `the request of #${request.continues.exchange} once more`, isTurn: false }
  const said = request.fresh.findLast(({ kind }) => kind === 'text')
  return { title: shortLine(said?.text ?? `${request.method} ${request.path}`), isTurn: false }
}

function isTyped(utterance: Utterance): boolean {
  const { who, kind, reminder } = utterance
  return who === 'user' && kind === 'text' && reminder !== true && typedText(utterance) !== ''
}

function typedText({ text }: Utterance): string {
  return withoutReminders(text).trim()
}

function shortLine(text: string): string {
  const line = text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim()
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).toWellFormed()}…` : line
}
