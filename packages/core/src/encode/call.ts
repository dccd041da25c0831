import type { HubToolUse } from '../hub/request.ts'
import type { Encoding } from './encoding.ts'
import { wellFormedValue } from './well-formed-value.ts'
import { noteAnnotations } from './words.ts'

/** A call of an earlier turn as the upstream knows it. */
export interface WireCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Gives a call the id and the name that it has for the upstream, with an input that it can read. */
export function wireCall(call: HubToolUse, path: string, encoding: Encoding): WireCall {
  const { names, wireIds, callIds, notes } = encoding
  noteAnnotations(call, path, encoding)
  callIds.add(call.id)
  const id = wireIds.toWire(call.id)
  if (id !== call.id)
    notes.addOnce('call_id_changed', `${path}.id`, 'sent in a form that the upstream accepts')
  const name = names.toWire(call.name)
  if (name !== call.name) notes.addOnce('tool_name_changed', `${path}.name`, `sent as ${name}`)
  const input: unknown = wellFormedValue(call.input ?? {}, `${path}.input`, encoding)
  return { id, name, input }
}
