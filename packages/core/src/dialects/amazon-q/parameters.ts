import {
  noteOtherFormat,
  noteSchemaAsPrompt,
  outputSchema,
  schemaInstruction,
} from '../../encode/output-schema.ts'
import { noteStopMatchedHere } from '../../encode/parameters.ts'
import type { HubRequest } from '../../hub/request.ts'
import { noteAnthropicOnly } from '../anthropic-only.ts'
import type { Encoding } from './encoding.ts'

/** Fields that other upstreams know; here the service decides these things by itself. */
const UNHEARD = ['max_tokens', 'temperature', 'top_p', 'top_k', 'thinking', 'metadata'] as const

/** Says which wishes of the request go unheard. */
export function noteParameters(request: HubRequest, encoding: Encoding): void {
  const { notes } = encoding
  for (const field of UNHEARD) {
    if (request[field] === undefined || request[field] === null) continue
    notes.add('field_ignored', field, 'the upstream has no equivalent')
  }
  if (request.output_config?.effort)
    notes.add('field_ignored', 'output_config.effort', 'the upstream has no equivalent')
  noteAnthropicOnly(request, notes)
  noteStopMatchedHere(request, 0, encoding)
}

/** What the system prompt must say where the client wants an answer after a schema. */
export function promptedSchema(request: HubRequest, { notes }: Encoding): string {
  const schema = outputSchema(request)
  if (schema === undefined) {
    noteOtherFormat(request, notes)
    return ''
  }
  noteSchemaAsPrompt(notes)
  return schemaInstruction(schema)
}
