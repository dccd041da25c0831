import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { withField } from '../../json/with-field.ts'
import type { EncodedRequest, RelayedRequest, Target } from '../dialect.ts'
import { relayedBody, relayedRequest } from '../relayed-body.ts'
import { modelPath } from './encode-request.ts'
import type { GeminiProfile } from './profile.ts'
import { unpackSignature } from './thinking.ts'

/** A request of Google's form for a server that speaks it: as it came, under the name of the target's model. */
export function relayRequest(
  relayed: RelayedRequest,
  target: Target<GeminiProfile>,
): EncodedRequest | undefined {
  const came = relayedBody(relayed)
  if (came === undefined || carriesForeignThinking(came)) return undefined
  const { path, query } = relayed.call
  const method = path.slice(path.lastIndexOf(':') + 1)
  // The path says it.
  const { model: _model, ...rest } = came
  const body = target.profile.takesCallIds ? rest : withoutIds(rest)
  const encoded = relayedRequest(target, { path: `/${modelPath(target.model)}:${method}`, body })
  return query['alt'] === undefined
    ? encoded
    : { ...encoded, query: `alt=${encodeURIComponent(query['alt'])}` }
}

/** Thinking of another provider travels in signatures, which Google would take for its own and refuse. */
function carriesForeignThinking({ contents }: JsonObject): boolean {
  return listOf(contents).some((content) => isJsonObject(content) && listOf(content['parts']).some(isForeign))
}

function isForeign(part: unknown): boolean {
  const signature = isJsonObject(part) ? (part['thoughtSignature'] ?? part['thought_signature']) : undefined
  return typeof signature === 'string' && typeof unpackSignature(signature) === 'object'
}

/** Vertex refuses the ids of calls that every SDK sends, as fields that it does not know. */
function withoutIds(body: JsonObject): JsonObject {
  if (body['contents'] === undefined) return body
  return { ...body, contents: listOf(body['contents']).map(contentWithoutIds) }
}

function contentWithoutIds(content: unknown): unknown {
  if (!isJsonObject(content)) return content
  return { ...content, parts: listOf(content['parts']).map(partWithoutId) }
}

const NUMBERED = ['functionCall', 'function_call', 'functionResponse', 'function_response'] as const

function partWithoutId(part: unknown): unknown {
  if (!isJsonObject(part)) return part
  const name = NUMBERED.find((key) => isJsonObject(part[key]))
  return name === undefined ? part : { ...part, [name]: withField(part[name] as JsonObject, 'id', undefined) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
