import type { SeenRequest } from '@hydra/testkit'
import { CLIENT_KEY, UPSTREAM_KEY } from '../keys.ts'

/** Headers of the client's dialect: a provider of another one has no use for them. */
const FOREIGN = /^(?:x-api-key|anthropic-|x-stainless-|x-claude-|x-app$|cookie$)/

/** What this upstream refuses beyond the rules of every provider: how it is addressed, and what must not leak to it. */
export function houseProblems(request: SeenRequest): string[] {
  return [
    ...headerProblems(request),
    ...leaks(request),
    ...callIdProblems(request),
    ...schemaProblems(request),
    ...parameterProblems(request),
    ...(request.text.isWellFormed() ? [] : ['the body holds half a character']),
  ]
}

function headerProblems({ headers }: SeenRequest): string[] {
  const { authorization, 'content-type': type } = headers
  return [
    ...(authorization === `Bearer ${UPSTREAM_KEY}`
      ? []
      : ['authorization: expected the key of the upstream']),
    ...(type === 'application/json' ? [] : [`content-type: expected application/json, got ${type}`]),
    ...Object.keys(headers).flatMap((name) =>
      FOREIGN.test(name) ? `header ${name}: not for this provider` : [],
    ),
  ]
}

function leaks({ headers, text }: SeenRequest): string[] {
  return [
    ...(`${JSON.stringify(headers)}${text}`.includes(CLIENT_KEY) ? ["the client's key has leaked"] : []),
    // Its digits change from turn to turn, which costs the whole prompt cache.
    ...(text.includes('x-anthropic-billing-header') ? ['the billing header has leaked'] : []),
  ]
}

/** An id that comes back for another call makes its results ambiguous. */
function callIdProblems({ body: { messages } }: SeenRequest): string[] {
  const ids = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  )
  return ids.flatMap((id, index) => (ids.indexOf(id) === index ? [] : `the call id ${id} occurs twice`))
}

function schemaProblems({ body: { tools = [] } }: SeenRequest): string[] {
  return tools.flatMap((tool) =>
    tool.type === 'function'
      ? openArrays(tool.function.parameters).map(
          (path) => `${tool.function.name}${path}: array without items`,
        )
      : [],
  )
}

/** Where a schema has arrays that do not say of what, which OpenAI refuses. */
function openArrays(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isOpen = 'type' in schema && schema.type === 'array' && !('items' in schema)
  const below = Object.entries(schema).flatMap(([name, value]) => openArrays(value, `${path}.${name}`))
  return isOpen ? [path, ...below] : below
}

/** The scripted model does not reason, takes the newer token limit only, and no more output than it can give. */
function parameterProblems({ body }: SeenRequest): string[] {
  const { max_tokens: older, reasoning_effort: effort, prompt_cache_key: cacheKey } = body
  return [
    ...(older === undefined ? [] : ['max_tokens: use max_completion_tokens']),
    ...(effort === undefined ? [] : ['reasoning_effort: this model does not reason']),
    ...((cacheKey ?? '').length <= 64 ? [] : ['prompt_cache_key: longer than 64 characters']),
  ]
}
