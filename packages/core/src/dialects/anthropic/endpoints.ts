import { headerOf, type HeaderValues } from '../../http/headers.ts'
import type { LimitState } from '../../hub/limit-state.ts'
import type { ClientDialect, ClientIds, Endpoint } from '../dialect.ts'

/** Anthropic asks for a date; ours are not known. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z'

/** Where clients of Messages call. */
export const endpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/messages', purpose: 'generate' },
  { method: 'POST', path: '/v1/messages/count_tokens', purpose: 'count' },
  { method: 'GET', path: '/v1/models', purpose: 'models', when: asksLikeAnthropic },
  { method: 'GET', path: '/v1/models/{model+}', purpose: 'model', when: asksLikeAnthropic },
]

/** The forms of ids that clients of Messages know. */
export const newId: ClientIds = {
  message: (unique) => `msg_${unique}`,
  call: (unique) => `toolu_${unique}`,
  request: (unique) => `req_${unique}`,
}

/** A request without an endpoint of ours, from a client that speaks Messages. */
export const recognises: ClientDialect['recognises'] = ({ path, headers }) => {
  return path.startsWith('/v1/messages') || asksLikeAnthropic(headers)
}

/** The headers of an answer. */
export function answerHeaders(requestId: string): Record<string, string> {
  return { 'request-id': requestId }
}

/** How far a client is from its limits. */
export function limitHeaders(limits: LimitState): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const kind of ['requests', 'tokens'] as const) {
    const level = limits[kind]
    if (level === undefined) continue
    headers[`anthropic-ratelimit-${kind}-limit`] = String(level.limit)
    headers[`anthropic-ratelimit-${kind}-remaining`] = String(level.remaining)
    headers[`anthropic-ratelimit-${kind}-reset`] = level.resetsAt
  }
  return headers
}

/** The answer to a request that asks how long its prompt is. */
export function encodeCount(tokens: number): object {
  return { input_tokens: tokens }
}

/** The list of models. */
export function encodeModels(models: readonly string[], describe?: DescribeModel): object {
  return {
    data: models.map((model) => encodeModel(model, describe)),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  }
}

/** Says in words who answers for a model, where that is known. */
type DescribeModel = (model: string) => string | undefined

/** One model; who answers for it is a field that Claude Code shows when somebody chooses a model. */
export function encodeModel(model: string, describe?: DescribeModel): object {
  const description = describe?.(model)
  return {
    type: 'model',
    id: model,
    display_name: model,
    ...(description !== undefined && { description }),
    created_at: UNKNOWN_DATE,
  }
}

/** How OpenAI's SDKs name themselves: `OpenAI/JS 6.1.0`, `AsyncOpenAI/Python 2.3.0`. */
const OPENAI_SDK = /^(?:Async)?(?:Azure)?OpenAI\//

/** A key in `Authorization` says that it is not Anthropic's only where nothing of Anthropic's is beside it. */
function asksLikeAnthropic(headers: HeaderValues): boolean {
  if (headers['anthropic-version'] !== undefined) return true
  if (OPENAI_SDK.test(headerOf(headers, 'user-agent') ?? '')) return false
  if (headers['x-goog-api-key'] !== undefined || headers['x-goog-api-client'] !== undefined) return false
  return headers['x-api-key'] !== undefined
}
