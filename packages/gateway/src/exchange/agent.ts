import { headerOf, type HeaderValues, isSubagent, sessionOfHeaders } from '@hydra/core'
import type { HubRequest } from '@hydra/core'
import { hasMarker } from '../route/marker.ts'

/** Marks the requests of the agent that leads a team. */
export const LEAD_MARKER = 'hydra:lead'

/** Who sent a request, as far as its headers and its first words tell. */
export interface AgentIdentity {
  readonly kind: 'lead' | 'teammate' | 'client'
  /** The client's name and version, such as `claude-cli/2.1.325`. */
  readonly name: string
  readonly session?: string | undefined
}

/** What the headers tell of the agent that sent a request. */
export function identifyAgent(headers: HeaderValues): AgentIdentity {
  const name = headerOf(headers, 'user-agent')?.split(' ', 1)[0] ?? 'unknown'
  // Whatever its prompt quotes.
  const kind = isSubagent(headers) ? 'teammate' : 'client'
  return { kind, name, session: sessionOfHeaders(headers) }
}

/** The agent, once its request was read: the prompt of one that leads a team is marked. */
export function withMarker(agent: AgentIdentity, request: HubRequest): AgentIdentity {
  return agent.kind === 'client' && hasMarker(request, LEAD_MARKER) ? { ...agent, kind: 'lead' } : agent
}
