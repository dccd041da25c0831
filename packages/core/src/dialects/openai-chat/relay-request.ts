import { effortLevel } from '../../encode/effort.ts'
import { Notes } from '../../hub/note.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isPresent } from '../../json/present.ts'
import { withField } from '../../json/with-field.ts'
import { type Effort, profileFor } from '../../profiles/profile.ts'
import type { EncodedRequest, RelayedRequest, Target } from '../dialect.ts'
import { relayedBody, relayedRequest } from '../relayed-body.ts'
import { switchedOff } from './effort.ts'
import type { ChatProfile } from './profile.ts'

/** A Chat request for a server that speaks Chat: as it came, but for what the server or its model refuses. */
export function relayRequest(
  relayed: RelayedRequest,
  target: Target<ChatProfile>,
): EncodedRequest | undefined {
  const came = relayedBody(relayed)
  const profile = profileFor(target.profile, target.model)
  if (came === undefined || mustKeepThinking(came, profile)) return undefined
  // What could not be read cannot be translated either.
  if (relayed.request !== undefined && isBeyond(came, profile)) return undefined
  const notes = new Notes()
  const changes = [
    withModel,
    withTokenLimit,
    withSystemRole,
    withoutThinking,
    withTools,
    withEffort,
    withoutSampling,
    withoutStreamOptions,
  ]
  const context = { model: target.model, profile, notes }
  const body = changes.reduce((changed, change) => change(changed, context), came)
  return relayedRequest(target, { path: '/chat/completions', body, notes: notes.list })
}

interface RelayContext {
  readonly model: string
  readonly profile: ChatProfile
  readonly notes: Notes
}

/** Some servers want back what the model thought before its calls, which most clients lose and the hub keeps for them. */
function mustKeepThinking({ tools }: JsonObject, profile: ChatProfile): boolean {
  const hasTools = Array.isArray(tools) && tools.length > 0
  return hasTools && (profile.replaysThoughtSignatures || profile.replaysThinking !== undefined)
}

/** Whether the server or its model refuses what can be said in another way. */
function isBeyond(
  { tools, stop, messages }: JsonObject,
  { takesCustomTools, maxStopSequences, userAfterResults }: ChatProfile,
): boolean {
  const hasCustom =
    Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && tool['type'] === 'custom')
  const hasStop = Array.isArray(stop) ? stop.length > 0 : typeof stop === 'string'
  const isOutOfOrder =
    userAfterResults === 'bridge' && Array.isArray(messages) && hasUserAfterResults(messages)
  return isOutOfOrder || (hasCustom && !takesCustomTools) || (hasStop && maxStopSequences === 0)
}

function hasUserAfterResults(messages: readonly unknown[]): boolean {
  const roles = messages.map((message) => (isJsonObject(message) ? message['role'] : undefined))
  return roles.some((role, index) => role === 'user' && roles[index - 1] === 'tool')
}

function withModel(body: JsonObject, { model }: RelayContext): JsonObject {
  return { ...body, model }
}

const LIMITS = ['max_tokens', 'max_completion_tokens'] as const

/** The limit of tokens under the name that the server knows. */
function withTokenLimit(body: JsonObject, { profile: { tokenLimitField }, notes }: RelayContext): JsonObject {
  const other = LIMITS.find((field) => field !== tokenLimitField) ?? tokenLimitField
  if (body[other] === undefined || body[tokenLimitField] !== undefined) return body
  const { [other]: limit, ...rest } = body
  notes.add('field_renamed', other, `the server knows it as ${tokenLimitField}`)
  return { ...rest, [tokenLimitField]: limit }
}

/** Only OpenAI knows a developer. */
function withSystemRole(body: JsonObject, { profile: { systemRole }, notes }: RelayContext): JsonObject {
  const { messages } = body
  if (systemRole !== 'system' || !Array.isArray(messages) || !messages.some(isDeveloper)) return body
  notes.addOnce('role_changed', 'messages', 'the server knows no developer: it is the system')
  const changed = messages.map((message: unknown) =>
    isDeveloper(message) ? withField(message, 'role', 'system') : message,
  )
  return { ...body, messages: changed }
}

function isDeveloper(message: unknown): message is JsonObject {
  return isJsonObject(message) && message['role'] === 'developer'
}

/** What the model thought is in an answer, and some servers refuse it in a request. */
function withoutThinking(
  body: JsonObject,
  { profile: { refusesThinking }, notes }: RelayContext,
): JsonObject {
  const { messages } = body
  if (!refusesThinking || !Array.isArray(messages) || !messages.some(hasThinking)) return body
  notes.addOnce('thinking_dropped', 'messages', 'the server refuses what was thought in earlier turns')
  const changed = messages.map((message: unknown) =>
    hasThinking(message)
      ? THINKING.reduce((kept, field) => withField(kept, field, undefined), message)
      : message,
  )
  return { ...body, messages: changed }
}

const THINKING = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

function hasThinking(message: unknown): message is JsonObject {
  return isJsonObject(message) && THINKING.some((field) => message[field] !== undefined)
}

/** Servers refuse a list without tools, and what is said of tools where none are. */
function withTools(body: JsonObject, { notes }: RelayContext): JsonObject {
  if (!Array.isArray(body['tools']) || body['tools'].length > 0) return body
  notes.add('field_ignored', 'tools', 'servers refuse an empty list')
  const { tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...rest } = body
  return rest
}

function withEffort(body: JsonObject, { profile: { reasoning }, notes }: RelayContext): JsonObject {
  const { reasoning_effort: wanted, tools } = body
  if (reasoning.kind === 'switch' && isForced(body))
    return { ...body, ...switchedOff(!isOff(body, reasoning.off), reasoning, notes) }
  if (reasoning.kind !== 'effort') return body
  const forced = Array.isArray(tools) && tools.length > 0 ? reasoning.withTools : undefined
  if (forced !== undefined && wanted !== forced) {
    notes.add('effort_changed', 'reasoning_effort', `with tools this model takes the effort '${forced}' only`)
    return { ...body, reasoning_effort: forced }
  }
  if (typeof wanted !== 'string') return body
  const level = effortLevel({ effort: wanted as Effort, path: 'reasoning_effort' }, reasoning.levels, notes)
  const { reasoning_effort: _effort, ...rest } = body
  return level === wanted ? body : { ...rest, ...(level !== undefined && { reasoning_effort: level }) }
}

/** Whether the model is made to call a tool. */
function isForced({ tools, tool_choice: choice }: JsonObject): boolean {
  const isOne = isJsonObject(choice) && choice['type'] !== 'allowed_tools'
  const isMade = choice === 'required' || choice === 'any' || isOne
  return isMade && Array.isArray(tools) && tools.length > 0
}

function isOff(body: JsonObject, off: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(off).every(([field, value]) => JSON.stringify(body[field]) === JSON.stringify(value))
}

/** The fields of sampling, with what asks for nothing. */
const SAMPLING: readonly (readonly [field: string, neutral: unknown])[] = [
  ['temperature', 1],
  ['top_p', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
  ['logit_bias', null],
]

function withoutSampling(body: JsonObject, { profile: { takesSampling }, notes }: RelayContext): JsonObject {
  if (takesSampling) return body
  const given = SAMPLING.filter(([field, neutral]) => body[field] !== neutral && isPresent(body[field]))
  const refused = given.map(([field]) => field)
  for (const field of refused) notes.add('sampling_dropped', field, 'the model refuses this field')
  if (refused.length === 0) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => !refused.includes(field)))
}

function withoutStreamOptions(body: JsonObject, { profile, notes }: RelayContext): JsonObject {
  if (profile.takesStreamOptions || !isPresent(body['stream_options'])) return body
  notes.add(
    'field_ignored',
    'stream_options',
    'the server refuses this field, and tells its usage without it',
  )
  return withField(body, 'stream_options', undefined)
}
