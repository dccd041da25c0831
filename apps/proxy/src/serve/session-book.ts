import cluster from 'node:cluster'
import type { ExchangeReport, GatewayObserver } from '@hydra/gateway'
import { type Gathered, offer } from './gather.ts'

/** This many sessions are remembered; those that were not heard of for longest are forgotten first. */
const MAX_SESSIONS = 1000

/** What is known of a session: who answered last, and what it cost so far. */
export interface SessionSummary {
  readonly session: string
  /** Milliseconds since 1970: when the main conversation was answered last. */
  readonly at: number
  readonly clientModel?: string | undefined
  readonly upstream?: string | undefined
  readonly upstreamModel?: string | undefined
  readonly exchanges: number
  /** US dollars, as far as they are known, and of how many exchanges they are not. */
  readonly usd: number
  readonly unknownCosts: number
}

/** Remembers who answers the sessions of clients. */
export class SessionBook implements GatewayObserver {
  readonly #sessions = new Map<string, SessionSummary>()
  /** The summaries of one session in all processes. */
  readonly #ask: (session: string) => Promise<readonly Gathered[]>

  constructor() {
    const own = (session: string | undefined): unknown => this.#sessions.get(session ?? '')
    this.#ask = cluster.isWorker
      ? offer('session', own)
      : (session) => Promise.resolve([{ worker: '', value: own(session) }])
  }

  begin(): { done(report: ExchangeReport): void } {
    return { done: (report) => this.#note(report) }
  }

  /** What is known of a session, whichever process has served it. */
  async summary(session: string): Promise<SessionSummary | undefined> {
    const known = (await this.#ask(session)).flatMap(
      ({ value }) => (value as SessionSummary | undefined) ?? [],
    )
    return known.length === 0 ? undefined : known.reduce(added)
  }

  #note(report: ExchangeReport): void {
    const { agent, upstream, outcome } = report
    const { session } = agent
    if (session === undefined || upstream === undefined || outcome !== 'answered') return
    const before = this.#sessions.get(session)
    const now = summaryOf(report, session)
    this.#sessions.delete(session)
    this.#sessions.set(session, before === undefined ? now : added(before, now))
    if (this.#sessions.size <= MAX_SESSIONS) return
    const [oldest = ''] = this.#sessions.keys()
    this.#sessions.delete(oldest)
  }
}

function summaryOf(report: ExchangeReport, session: string): SessionSummary {
  const { agent, clientModel, upstream, upstreamModel, cost } = report
  return {
    session,
    // A teammate costs, but it is not whom the user talks to.
    at: agent.kind === 'teammate' ? 0 : Date.now(),
    clientModel,
    upstream,
    upstreamModel,
    exchanges: 1,
    usd: cost?.usd ?? 0,
    unknownCosts: cost?.unknown === undefined ? 0 : 1,
  }
}

function added(one: SessionSummary, other: SessionSummary): SessionSummary {
  return {
    ...(other.at >= one.at ? other : one),
    exchanges: one.exchanges + other.exchanges,
    usd: one.usd + other.usd,
    unknownCosts: one.unknownCosts + other.unknownCosts,
  }
}
