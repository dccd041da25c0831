import type { HubRequest } from '../../hub/request.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import type { Encoding } from './encoding.ts'

/** Fields that other upstreams know; here the service decides these things by itself. */
const UNHEARD = ['max_tokens', 'temperature', 'top_p', 'top_k', 'thinking', 'metadata'] as const

/** Says which wishes of the request go unheard. */
export function noteParameters(request: HubRequest, { notes }: Encoding): void {
  for (const field of UNHEARD) {
    if (request[field] === undefined || request[field] === null) continue
    notes.add('field_ignored', field, 'the upstream has no equivalent')
  }
  if (request.output_config?.effort)
    notes.add('field_ignored', 'output_config.effort', 'the upstream has no equivalent')
  noteAnthropicOnly(request, notes)
  if (stopSequences(request).length > 0)
    notes.add('stop_matched_here', 'stop_sequences', 'the upstream takes none: matched in its answer instead')
}

/** The stop sequences of a request; empty ones would stop everything. */
export function stopSequences({ stop_sequences: sequences }: HubRequest): readonly string[] {
  return (sequences ?? []).filter((sequence) => sequence !== '')
}

/** What the system prompt must say where the client wants an answer after a schema. */
export function schemaInstruction(request: HubRequest, { notes }: Encoding): string {
  const format = request.output_config?.format ?? request.output_format
  if (!format) return ''
  if (format.schema === undefined) {
    notes.add('field_ignored', 'output_config.format', 'a format that is no JSON schema')
    return ''
  }
  notes.add(
    'schema_as_prompt',
    'output_config.format',
    'the upstream takes no schema: it stands in the system prompt',
  )
  return `Answer with one JSON object that fits this JSON schema, and with nothing else:\n${JSON.stringify(format.schema)}`
}
