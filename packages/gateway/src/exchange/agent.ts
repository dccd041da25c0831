import { headerOf, type HeaderValues } from '@hydra/core'
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

/** Tells the agents of a team apart. */
export function identifyAgent(headers: HeaderValues, request?: HubRequest): AgentIdentity {
  const name = headerOf(headers, 'user-agent')?.split(' ', 1)[0] ?? 'unknown'
  const session = headerOf(headers, 'x-claude-code-session-id') ?? headerOf(headers, 'session-id')
  return { kind: kindOf(headers, request), name, session }
}

function kindOf(headers: HeaderValues, request: HubRequest | undefined): AgentIdentity['kind'] {
  // Only agents that another one started carry this header, whatever their prompt quotes.
  if (headers['x-claude-code-agent-id'] !== undefined) return 'teammate'
  return request !== undefined && hasMarker(request, LEAD_MARKER) ? 'lead' : 'client'
}
