import { subagentOfHeaders } from '@hydra/core'
import type { TapedExchange } from '@hydra/tape'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import type { AgentEntry } from './page-data.ts'

/** Tells the agents of a session apart: by what the client calls them, else by the conversations that go on. */
export class Agents {
  readonly #byExchange = new Map<number, AgentEntry>()
  #hasTools = false
  #main: AgentEntry | undefined

  /** The agent that sent a request; later requests that continue it are the same agent's. */
  of(exchange: TapedExchange, { number, request }: Pick<ExchangeSummary, 'number' | 'request'>): AgentEntry {
    const known = this.#byExchange.get(number)
    if (known !== undefined) return known
    const id = subagentOfHeaders(exchange.request?.headers ?? {})
    const continued = this.#byExchange.get(request?.continues?.exchange ?? -1)
    const agent =
      id === undefined ? (this.#withoutId(continued) ?? this.#newThread(number, request)) : subagent(id)
    this.#byExchange.set(number, agent)
    if (agent.kind === 'main') this.#main = agent
    return agent
  }

  /** A sub-agent that is named may begin with the conversation of the one that started it, which then goes on. */
  #withoutId(continued: AgentEntry | undefined): AgentEntry | undefined {
    return continued?.id === undefined ? continued : this.#main
  }

  #newThread(number: number, request: ExchangeSummary['request']): AgentEntry {
    const hasTools = (request?.tools ?? 0) > 0
    // An agent has tools; what is asked without any beside it is a title or a summary.
    const isSide = !hasTools && this.#hasTools
    this.#hasTools ||= hasTools
    return { key: `thread-${number}`, kind: isSide ? 'side' : 'main' }
  }
}

function subagent(id: string): AgentEntry {
  return { key: `agent-${id}`, kind: 'subagent', id }
}
