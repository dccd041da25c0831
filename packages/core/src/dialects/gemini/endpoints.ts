import { headerOf, type HeaderValues } from '../../http/headers.ts'
import type { ClientDialect, ClientIds, Endpoint } from '../dialect.ts'

/** What comes before `/models`: a version, nothing, or what Vertex has there. */
const FOLDERS = [
  '/{version}',
  '',
  '/{version}/publishers/google',
  '/{version}/projects/{project}/locations/{location}/publishers/google',
]

/** Where Google's clients call. A name of a model may hold slashes and colons: it ends at the last colon. */
export const endpoints: readonly Endpoint[] = [
  ...FOLDERS.flatMap((folder): Endpoint[] => [
    { method: 'POST', path: `${folder}/models/{model+}:generateContent`, purpose: 'generate' },
    { method: 'POST', path: `${folder}/models/{model+}:streamGenerateContent`, purpose: 'generate' },
    { method: 'POST', path: `${folder}/models/{model+}:countTokens`, purpose: 'count' },
  ]),
  ...['/v1beta', '/v1alpha', '/v1beta1'].flatMap((version): Endpoint[] => [
    { method: 'GET', path: `${version}/models`, purpose: 'models' },
    { method: 'GET', path: `${version}/models/{model+}`, purpose: 'model' },
  ]),
  ...['/v1', ''].flatMap((version): Endpoint[] => [
    { method: 'GET', path: `${version}/models`, purpose: 'models', when: asksLikeGoogle },
    { method: 'GET', path: `${version}/models/{model+}`, purpose: 'model', when: asksLikeGoogle },
  ]),
]

/** The forms of ids that Google's clients know: there is no prefix. */
export const newId: ClientIds = {
  message: (unique) => unique,
  call: (unique) => `call_${unique}`,
  request: (unique) => `req_${unique}`,
}

const OWN_PATH = /^\/v1(?:beta\d?|alpha)\/|:(?:\w+Content|\w+Contents|countTokens|predict)$|^\/upload\//

/** A request without an endpoint of ours, from a client that speaks to Google. */
export const recognises: ClientDialect['recognises'] = ({ path, headers }) =>
  OWN_PATH.test(path) || asksLikeGoogle(headers)

/** The headers of an answer. */
export function answerHeaders(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId }
}

/** The answer to a request that asks how long its prompt is. */
export function encodeCount(tokens: number): object {
  return { totalTokens: tokens }
}

/** The list of models. */
export function encodeModels(models: readonly string[]): object {
  return { models: models.map(encodeModel) }
}

/** One model. */
export function encodeModel(model: string): object {
  return {
    name: `models/${model}`,
    displayName: model,
    supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
  }
}

function asksLikeGoogle(headers: HeaderValues): boolean {
  if (headers['anthropic-version'] !== undefined) return false
  return (
    headerOf(headers, 'x-goog-api-key') !== undefined || headerOf(headers, 'x-goog-api-client') !== undefined
  )
}
