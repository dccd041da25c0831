import type { Notes } from '../../hub/note.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isLasting } from '../../memo/lasting.ts'
import type { ClientReply } from '../dialect.ts'
import type { ClientTools } from './client-tools.ts'
import type { StoredResponse } from './stored-response.ts'
import type { WireResponse } from './wire.ts'

/** What of a request its answer repeats. */
export type ResponseEcho = Omit<
  WireResponse,
  | 'id'
  | 'object'
  | 'created_at'
  | 'status'
  | 'error'
  | 'incomplete_details'
  | 'model'
  | 'output'
  | 'output_text'
  | 'usage'
> & { readonly store: boolean }

/** What the encoders of an answer must know of its request. */
export interface ResponsesReply extends ClientReply {
  readonly answerNotes: Notes
  readonly model: string
  /** When the request came, in seconds since 1970. */
  readonly createdAt: number
  readonly tools: ClientTools
  readonly echo: ResponseEcho
  /** An id for an answer that fails before it has one. */
  newId(): string
  /** Keeps the answer; absent if the client does not want that. */
  readonly store?: ((response: WireResponse, kept?: Pick<StoredResponse, 'isRelayed'>) => void) | undefined
}

/** The fields of a request that its answer repeats, with the defaults for those that it does not have. */
export function echoOf(body: JsonObject): ResponseEcho {
  const echo = {
    background: false,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    ...repeated(body, ['prompt_cache_key', 'safety_identifier', 'user']),
    reasoning: { effort: null, summary: null, ...fieldsAt(body, 'reasoning') },
    store: body.store !== false,
    temperature: body.temperature ?? null,
    text: { format: { type: 'text' }, ...fieldsAt(body, 'text') },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    truncation: 'disabled',
    access_programs: null,
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the request was checked before
  return echo as ResponseEcho
}

function fieldsAt(body: JsonObject, field: string): JsonObject {
  const value = body[field]
  return isJsonObject(value) ? value : {}
}

function repeated(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.flatMap((field) => (body[field] ? [[field, body[field]]] : [])))
}

/** What was written of values that come again with the next requests. */
const known = new WeakMap<object, string>()

/**
 * What an answer repeats of its request, as it is written between the braces of an object. An agent has so many tools
 * that to write them costs more than the whole answer does, and they are the same each time.
 */
export function writtenEcho(echo: ResponseEcho): string {
  const fields = Object.entries(echo).filter(([, value]) => value !== undefined)
  return fields.map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`).join(',')
}

function written(value: unknown): string {
  if (typeof value !== 'object' || value === null || !isLasting(value)) return JSON.stringify(value)
  const before = known.get(value)
  if (before !== undefined) return before
  const json = JSON.stringify(value)
  known.set(value, json)
  return json
}
