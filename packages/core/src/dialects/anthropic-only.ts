import { invalidRequest } from '../hub/error.ts'
import type { Notes } from '../hub/note.ts'
import type { HubRequest } from '../hub/request.ts'

/** Fields that only Anthropic knows, and without which an answer means the same. */
const IGNORED = [
  'context_management',
  'compaction',
  'diagnostics',
  'fallbacks',
  'fallback_credit_token',
  'inference_geo',
  'service_tier',
  'speed',
  'betas',
  'user_profile_id',
  'workspace_id',
] as const

/** Notes the fields of a request that only Anthropic understands. */
export function noteAnthropicOnly(request: HubRequest, notes: Notes): void {
  for (const field of IGNORED) {
    if (request[field] === undefined || request[field] === null) continue
    notes.add('field_ignored', field, 'the upstream has no equivalent')
  }
  if (request.cache_control)
    notes.addOnce('cache_control_dropped', 'cache_control', 'the upstream caches by itself')
  if (request.output_config?.task_budget) {
    notes.add('field_ignored', 'output_config.task_budget', 'the upstream has no equivalent')
  }
}

/** Refuses fields whose loss would change what the answer means: better no answer than a wrong one. */
export function refuseAnthropicOnly({ mcp_servers: servers, container, thread }: HubRequest): void {
  if (servers && servers.length > 0)
    throw invalidRequest('mcp_servers', 'this upstream cannot reach MCP servers')
  if (container) throw invalidRequest('container', 'this upstream has no containers')
  if (thread) throw invalidRequest('thread', 'this upstream keeps no threads')
}
