import { streamFormFor } from '../../clients/habits.ts'
import { invalidRequest } from '../../hub/error.ts'
import { Notes } from '../../hub/note.ts'
import type { HubMessage, HubRequest } from '../../hub/request.ts'
import { expectArray, expectObject, expectOptional, unexpected, unexpectedValue } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { ClientCall, DecodedRequest, StreamForm } from '../dialect.ts'
import type { ChatReply } from './chat-reply.ts'
import { checkMessage } from './check-message.ts'
import { takesDetails } from './decode-effort.ts'
import { decodeMessages, decodeSystemContent, noteMessageFields } from './decode-messages.ts'
import { decodeParameters } from './decode-parameters.ts'
import { decodeTools } from './decode-tools.ts'
import { callIdsIn, conversationOf, keptThinkingOf, thinkingKey } from './kept-thinking.ts'
import type { ChatMessage } from './wire.ts'

/** Clients take no events but chunks; a comment is a sign of life to all of them. */
const STREAM: StreamForm = { contentType: 'text/event-stream; charset=utf-8', keepAlive: ': ping\n\n' }

/** The fields that are read; all others leave a note. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  [
    ['model', 'messages', 'stream', 'stream_options', 'n'],
    ['max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'top_k', 'stop', 'service_tier'],
    ['reasoning_effort', 'reasoning', 'include_reasoning', 'thinking', 'enable_thinking'],
    ['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call', 'response_format'],
    ['usage'],
    ['seed', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'verbosity', 'prompt_cache_key'],
    ['user', 'safety_identifier', 'metadata'],
  ].flat(),
)

/** Values of unknown fields that ask for nothing. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['store', false],
  ['logprobs', false],
])

/** Turns a Chat Completions request into the hub's; what the hub has no form for leaves a note. */
export function decodeRequest(call: ClientCall): DecodedRequest<ChatReply> {
  const notes = new Notes()
  const body = expectObject(call.body, '')
  noteUnknownFields(body, notes)
  const messages = checkedMessages(body)
  const tools = decodeTools(body, notes)
  const ids = callIdsIn(messages)
  const needsMemory = ids.length > 0 || tools.fields.tools !== undefined
  const conversation = needsMemory ? conversationOf(messages, call.headers) : ''
  const recall = (id: string): ReturnType<typeof keptThinkingOf> =>
    keptThinkingOf(call.memory.get(thinkingKey(conversation, id)))
  const isStreamed = booleanAt(body, 'stream')
  const request: HubRequest = {
    model: modelOf(body, call),
    ...decodeHistory(messages, { notes, recall }),
    ...decodeParameters(body, notes),
    ...tools.fields,
    ...(isStreamed && { stream: true }),
  }
  const reply: ChatReply = {
    stream: isStreamed ? streamFormFor(STREAM, call.headers) : undefined,
    answerNotes: new Notes(),
    created: Math.floor(call.now / 1000),
    includesUsage: includesUsage(body),
    customTools: tools.customTools,
    isLegacy: tools.isLegacy,
    conversation,
    memory: tools.fields.tools === undefined ? undefined : call.memory,
    takesDetails: takesDetails(body) || messages.some(hasDetails),
  }
  return { request, reply, notes: notes.list }
}

/** The keys of what is remembered of the calls in a request. */
export function recalls({ body, headers }: Pick<ClientCall, 'body' | 'headers'>): readonly string[] {
  const messages = isJsonObject(body) && Array.isArray(body['messages']) ? body['messages'] : []
  const ids = callIdsIn(messages)
  if (ids.length === 0) return []
  const conversation = conversationOf(messages, headers)
  return ids.map((id) => thinkingKey(conversation, id))
}

/** Azure's SDK has the model in the path. */
function modelOf({ model }: JsonObject, { params }: ClientCall): string {
  const named = model ?? params['model']
  if (typeof named === 'string' && named !== '') return named
  throw unexpectedValue('model', 'non-empty string', named)
}

function checkedMessages(body: JsonObject): readonly ChatMessage[] {
  const messages = expectArray(body['messages'], 'messages')
  if (messages.length === 0) throw invalidRequest('messages', 'expected at least one message, got none')
  messages.forEach(checkMessage)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above, message by message
  return messages as readonly ChatMessage[]
}

type HistoryContext = Omit<Parameters<typeof decodeMessages>[1], 'first'>

/** The system prompt is what system and developer messages say before anybody else; later ones keep their places. */
function decodeHistory(
  messages: readonly ChatMessage[],
  context: HistoryContext,
): Pick<HubRequest, 'system' | 'messages'> {
  const next = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const leading = next === -1 ? messages.length : next
  for (const [index, message] of messages.slice(0, leading).entries())
    noteMessageFields(message, `messages[${index}]`, context.notes)
  if (leading === messages.length) return onlySystem(messages, context)
  const system = systemOf(messages.slice(0, leading), context.notes)
  const turns = decodeMessages(messages.slice(leading), { ...context, first: leading })
  return { ...(system !== undefined && { system }), messages: turns }
}

/** OpenAI answers a request that has nothing but instructions; elsewhere somebody must have said something. */
function onlySystem(
  messages: readonly ChatMessage[],
  { notes }: HistoryContext,
): Pick<HubRequest, 'system' | 'messages'> {
  const last = messages.length - 1
  const path = `messages[${last}]`
  notes.add('system_as_user', path, 'nobody else says anything: it is now a turn of the user')
  const system = systemOf(messages.slice(0, last), notes)
  const turn: HubMessage = {
    role: 'user',
    content: decodeSystemContent(messages[last]?.content, { path, notes }),
  }
  return { ...(system !== undefined && { system }), messages: [turn] }
}

function systemOf(messages: readonly ChatMessage[], notes: Notes): HubRequest['system'] {
  const [first, ...more] = messages
  if (more.length === 0 && typeof first?.content === 'string') return first.content
  const blocks = messages.flatMap(({ content }, index) =>
    decodeSystemContent(content, { path: `messages[${index}]`, notes }),
  )
  return blocks.length === 0 ? undefined : blocks
}

/** OpenAI's words for it, or OpenRouter's. */
function includesUsage({ stream_options: value, usage }: JsonObject): boolean {
  if (isJsonObject(usage) && usage['include'] === true) return true
  if (value === undefined || value === null) return false
  const options = expectObject(value, 'stream_options')
  expectOptional(options, 'include_usage', { type: 'boolean', path: 'stream_options' })
  return options['include_usage'] === true
}

function booleanAt(body: JsonObject, key: string): boolean {
  const value = body[key]
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw unexpected(key, 'boolean', value)
}

function hasDetails(message: ChatMessage): boolean {
  return Array.isArray((message as { reasoning_details?: unknown }).reasoning_details)
}

function noteUnknownFields(body: JsonObject, notes: Notes): void {
  for (const [field, value] of Object.entries(body)) {
    if (KNOWN_FIELDS.has(field) || value === null || value === undefined) continue
    if (DEFAULTS.get(field) === value) continue
    notes.add('field_ignored', field, 'the hub has no equivalent')
  }
}
