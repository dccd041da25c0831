import { isPresent } from '../../json/present.ts'
import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import type { HubRequest } from '../../hub/request.ts'
import {
  expectArray,
  expectObject,
  expectOptional,
  expectShallowObject,
  expectText,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'
import { withField } from '../../json/with-field.ts'
import type { ClientCall, ClientReply, CountRequest, DecodedRequest, StreamForm } from '../dialect.ts'
import { decodeContent, decodeTextContent } from './content.ts'
import { checkChosenTool, decodeToolChoice, decodeTools } from './decode-tools.ts'

/** What may come between two events as a sign of life. */
const PING = 'event: ping\ndata: {"type":"ping"}\n\n'

const STREAM: StreamForm = { contentType: 'text/event-stream; charset=utf-8', keepAlive: PING }
const STREAMED: ClientReply = { stream: STREAM }
const WHOLE: ClientReply = {}

type FieldDecoder = (value: unknown, path: string) => unknown

/** What the hub has beyond Anthropic's form: from a client nobody has checked it. */
const OF_THE_HUB = 'extras' satisfies keyof HubRequest

/** Each field that the hub knows; those with `anything` are for the encoder to take or to leave with a note. */
const FIELDS: Readonly<Record<Exclude<keyof HubRequest, typeof OF_THE_HUB>, FieldDecoder>> = {
  model: text,
  messages: decodeMessages,
  max_tokens: count,
  system: decodeTextContent,
  tools: decodeTools,
  tool_choice: decodeToolChoice,
  stop_sequences: strings,
  stream: boolean,
  temperature: fraction,
  top_p: topP,
  top_k: topK,
  thinking: decodeThinking,
  output_config: decodeOutputConfig,
  output_format: decodeFormat,
  metadata: decodeMetadata,
  service_tier: text,
  speed: text,
  betas: anything,
  cache_control: anything,
  compaction: anything,
  container: anything,
  context_management: anything,
  diagnostics: anything,
  fallback_credit_token: anything,
  fallbacks: anything,
  inference_geo: anything,
  mcp_servers: anything,
  thread: anything,
  user_profile_id: anything,
  workspace_id: anything,
}

const DECODERS: ReadonlyMap<string, FieldDecoder> = new Map(Object.entries(FIELDS))

/**
 * Checks a Messages request and returns it as the hub's: the same object wherever nothing had to change.
 * An optional field that is null counts as absent; an unknown field is ignored with a note.
 */
export function decodeRequest({ body }: Pick<ClientCall, 'body'>): DecodedRequest {
  const decoded = decodeFields(body, ['model', 'messages', 'max_tokens'])
  return { ...decoded, reply: decoded.request.stream === true ? STREAMED : WHOLE }
}

/** Like `decodeRequest`, for a request that only asks how long its prompt is. */
export function decodeCount({ body }: Pick<ClientCall, 'body'>): CountRequest {
  return decodeFields(body, ['model', 'messages'])
}

function decodeFields(body: unknown, required: readonly string[]): CountRequest {
  let fields = withoutNulls(expectObject(body, ''))
  for (const key of required) {
    if (fields[key] === undefined) DECODERS.get(key)?.(undefined, key)
  }
  const notes = new Notes()
  for (const key of Object.keys(fields)) {
    const decode = DECODERS.get(key)
    if (decode === undefined) notes.add('field_ignored', key, 'a field that is not known here')
    else fields = withField(fields, key, decode(fields[key], key))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, field by field
  const request = withField(fields, OF_THE_HUB, undefined) as unknown as HubRequest
  checkChosenTool(request)
  return { request, notes: notes.list }
}

function withoutNulls(fields: JsonObject): JsonObject {
  if (Object.values(fields).every(isPresent)) return fields
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value)))
}

function decodeMessages(value: unknown, path: string): unknown {
  const messages = expectArray(value, path)
  if (messages.length === 0) throw invalidRequest(path, 'expected at least one message, got none')
  return mapChanged(messages, (message, index) => decodeMessage(message, `${path}[${index}]`))
}

function decodeMessage(value: unknown, path: string): JsonObject {
  const message = expectObject(value, path)
  const { role, content } = message
  if (role === 'system') return decodeSystemMessage(message, path)
  if (role !== 'user' && role !== 'assistant') {
    throw unexpectedValue(`${path}.role`, 'one of user, assistant, system', role)
  }
  return withField(message, 'content', decodeContent(content, { place: role, path: `${path}.content` }))
}

function decodeSystemMessage(message: JsonObject, path: string): JsonObject {
  const { content, output_config: outputConfig } = message
  if (outputConfig !== undefined && outputConfig !== null) {
    decodeOutputConfig(outputConfig, `${path}.output_config`)
  }
  if (content === undefined || content === null) return withField(message, 'content', undefined)
  return withField(message, 'content', decodeContent(content, { place: 'system', path: `${path}.content` }))
}

function decodeThinking(value: unknown, path: string): JsonObject {
  const thinking = expectObject(value, path)
  const type = expectText(thinking, 'type', path)
  if (type === 'enabled') count(thinking.budget_tokens, `${path}.budget_tokens`)
  expectOptional(thinking, 'display', { type: 'string', path })
  return thinking
}

function decodeOutputConfig(value: unknown, path: string): JsonObject {
  const config = expectObject(value, path)
  expectOptional(config, 'effort', { type: 'string', path })
  const { format } = config
  if (format !== undefined && format !== null) decodeFormat(format, `${path}.format`)
  return config
}

function decodeFormat(value: unknown, path: string): JsonObject {
  const format = expectObject(value, path)
  const type = expectText(format, 'type', path)
  if (type === 'json_schema') expectShallowObject(format.schema, `${path}.schema`)
  return format
}

function decodeMetadata(value: unknown, path: string): JsonObject {
  const metadata = expectObject(value, path)
  expectOptional(metadata, 'user_id', { type: 'string', path })
  return metadata
}

function text(value: unknown, path: string): unknown {
  if (typeof value === 'string' && value !== '') return value
  throw unexpectedValue(path, 'non-empty string', value)
}

function boolean(value: unknown, path: string): unknown {
  if (typeof value === 'boolean') return value
  throw unexpected(path, 'boolean', value)
}

/** The API takes -1 for what it does by itself. */
function topP(value: unknown, path: string): unknown {
  return value === -1 ? undefined : fraction(value, path)
}

/** The API takes -1 for no limit at all. */
function topK(value: unknown, path: string): unknown {
  return value === -1 ? value : count(value, path)
}

function count(value: unknown, path: string): unknown {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  throw unexpectedValue(path, 'integer of at least 0', value)
}

function fraction(value: unknown, path: string): unknown {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value
  throw unexpectedValue(path, 'number from 0 to 1', value)
}

function strings(value: unknown, path: string): unknown {
  const list = expectArray(value, path)
  const wrong = list.findIndex((item) => typeof item !== 'string')
  if (wrong === -1) return list
  throw unexpected(`${path}[${wrong}]`, 'string', list[wrong])
}

function anything(value: unknown): unknown {
  return value
}
