import { headerOf } from '../../http/headers.ts'
import type { ClientDialect, ClientIds, Endpoint } from '../dialect.ts'

/** OpenAI asks for a time; ours are not known. */
const UNKNOWN_TIME = 0

/** Where clients of Chat Completions call: OpenAI's paths, without the version, and those of Azure's SDK. */
export const endpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/chat/completions', purpose: 'generate' },
  { method: 'POST', path: '/chat/completions', purpose: 'generate' },
  { method: 'POST', path: '/openai/v1/chat/completions', purpose: 'generate' },
  { method: 'POST', path: '/openai/deployments/{model}/chat/completions', purpose: 'generate' },
  // Names of models may hold slashes, and not every client writes them as %2F.
  ...['/v1', '', '/openai/v1'].flatMap((version): Endpoint[] => [
    { method: 'GET', path: `${version}/models`, purpose: 'models' },
    { method: 'GET', path: `${version}/models/{model+}`, purpose: 'model' },
  ]),
]

/** The forms of ids that clients of Chat Completions know. */
export const newId: ClientIds = {
  message: (unique) => `chatcmpl-${unique}`,
  call: (unique) => `call_${unique}`,
  request: (unique) => `req_${unique}`,
}

const OWN_PATH =
  /^\/(?:openai\/)?(?:v1\/)?(?:deployments\/[^/]+\/)?(?:chat|completions|models|embeddings)(?:\/|$)/
/** How OpenAI's SDKs name themselves: `OpenAI/JS 6.1.0`, `AsyncOpenAI/Python 2.3.0`. */
const OPENAI_SDK = /^(?:Async)?(?:Azure)?OpenAI\//

/** A request without an endpoint of ours, from a client that speaks to OpenAI. */
export const recognises: ClientDialect['recognises'] = ({ path, headers }) => {
  if (headers['anthropic-version'] !== undefined || headers['x-goog-api-key'] !== undefined) return false
  return OWN_PATH.test(path) || OPENAI_SDK.test(headerOf(headers, 'user-agent') ?? '')
}

/** The headers of an answer. */
export function answerHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId }
}

/** The list of models. */
export function encodeModels(models: readonly string[]): object {
  return { object: 'list', data: models.map(encodeModel) }
}

/** One model. */
export function encodeModel(model: string): object {
  return { id: model, object: 'model', created: UNKNOWN_TIME, owned_by: 'hydra' }
}
