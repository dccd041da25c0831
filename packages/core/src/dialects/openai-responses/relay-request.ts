import { effortLevel } from '../../encode/effort.ts'
import { Notes } from '../../hub/note.ts'
import { openEnvelope } from '../../identity/envelope.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isPresent } from '../../json/present.ts'
import { type Effort, profileFor } from '../../profiles/profile.ts'
import type { EncodedRequest, Memory, RelayedRequest, Target } from '../dialect.ts'
import { relayedBody, relayedRequest } from '../relayed-body.ts'
import type { ResponsesProfile } from './profile.ts'
import { isOurs } from './stored-response.ts'

/** A request of the Responses API for a server that has it: as it came, but for what the server or its model refuses. */
export function relayRequest(
  relayed: RelayedRequest,
  target: Target<ResponsesProfile>,
): EncodedRequest | undefined {
  const body = relayedBody(relayed)
  if (body === undefined || continuesOurs(body, relayed.call.memory)) return undefined
  const notes = new Notes()
  const { input } = body
  const own = Array.isArray(input)
    ? input.filter((item, index) => isOwn(item, `input[${index}]`, notes))
    : input
  const profile = profileFor(target.profile, target.model)
  const sent = { ...body, model: target.model, ...(input !== undefined && { input: own }) }
  const changed = withEffort(withoutSampling(sent, { profile, notes }), { profile, notes })
  return relayedRequest(target, { path: '/responses', body: changed, notes: notes.list })
}

interface RelayContext {
  readonly profile: ResponsesProfile
  readonly notes: Notes
}

const SAMPLING: readonly string[] = ['temperature', 'top_p']

function withoutSampling(body: JsonObject, { profile, notes }: RelayContext): JsonObject {
  if (profile.takesSampling) return body
  const refused = SAMPLING.filter((field) => isPresent(body[field]) && body[field] !== 1)
  for (const field of refused) notes.add('sampling_dropped', field, 'the model refuses this field')
  if (refused.length === 0) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => !refused.includes(field)))
}

function withEffort(body: JsonObject, { profile: { reasoning: control }, notes }: RelayContext): JsonObject {
  const { reasoning } = body
  if (control.kind !== 'effort' || !isJsonObject(reasoning)) return body
  const { effort: wanted, ...rest } = reasoning
  if (typeof wanted !== 'string') return body
  const level = effortLevel({ effort: wanted as Effort, path: 'reasoning.effort' }, control.levels, notes)
  if (level === wanted) return body
  return { ...body, reasoning: { ...rest, ...(level !== undefined && { effort: level }) } }
}

/** Whether it goes on from an answer that the provider has never seen. */
function continuesOurs({ previous_response_id: id }: JsonObject, memory: Memory): boolean {
  return typeof id === 'string' && isOurs(memory, id)
}

function isOwn(item: unknown, path: string, notes: Notes): boolean {
  const content = isJsonObject(item) && item['type'] === 'reasoning' ? item['encrypted_content'] : undefined
  if (typeof content !== 'string' || openEnvelope(content) === undefined) return true
  notes.add('thinking_dropped', path, 'reasoning of another provider is refused')
  return false
}
