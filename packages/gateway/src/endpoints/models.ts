import type { GatewayOptions } from '../options.ts'
import { headerOf, type RequestHeaders } from '../exchange/exchange.ts'

/** Anthropic asks for a date; ours are not known. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z'

/** The answer to `GET /v1/models`, in the form that the client's headers ask for. */
export function listModels<Native>(options: GatewayOptions<Native>, headers: RequestHeaders): object {
  const models = modelNames(options)
  return asksLikeOpenai(headers) ? openaiList(models) : anthropicList(models)
}

/** How OpenAI's SDKs name themselves: `OpenAI/JS 6.1.0`, `AsyncOpenAI/Python 2.3.0`. */
const OPENAI_SDK = /^(?:Async)?(?:Azure)?OpenAI\//

/** Whether a client expects OpenAI's form. A key in `Authorization` says so only where nothing of Anthropic's is beside it. */
function asksLikeOpenai(headers: RequestHeaders): boolean {
  if (headers['anthropic-version'] !== undefined) return false
  if (OPENAI_SDK.test(headerOf(headers, 'user-agent') ?? '')) return true
  return headers['x-api-key'] === undefined && /^Bearer /i.test(headerOf(headers, 'authorization') ?? '')
}

function anthropicList(models: readonly string[]): object {
  const data = models.map((id) => ({ type: 'model', id, display_name: id, created_at: UNKNOWN_DATE }))
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}

function openaiList(models: readonly string[]): object {
  const data = models.map((id) => ({ id, object: 'model', created: 0, owned_by: 'hydra' }))
  return { object: 'list', data }
}

/** The names a client may ask for: those of the options, else what the routes say without wildcards. */
function modelNames<Native>({ models, routes }: GatewayOptions<Native>): readonly string[] {
  if (models !== undefined) return models
  const named = routes.flatMap((route) => [
    ...(route.match?.models ?? []),
    ...Object.keys(route.models ?? {}),
    ...(route.spoof === undefined ? [] : [route.spoof]),
    ...(route.model === undefined ? [] : [route.model]),
  ])
  return [...new Set(named.filter((name) => !name.includes('*')))]
}
