import type { ErrorKind, HubError } from '../../hub/error.ts'
import { openAiWords, OVERFLOW_CODE } from '../../errors/openai-overflow.ts'
import { retryHeaders } from '../../errors/retry-headers.ts'
import type { EncodedError } from '../dialect.ts'

export { decodeError, decodeErrorPayload, isErrorPayload } from '../../errors/openai-error.ts'

/** How OpenAI tells a family of errors. */
interface ErrorForm {
  readonly type: string
  readonly code: string | null
  /** The code inside of a stream, where it decides what Codex does next. */
  readonly failure: string
  /** OpenAI's own status, where it is not the hub's. */
  readonly status?: number
}

const INVALID = 'invalid_request_error'
const RETRIED = 'server_error'

/** Codex asks again after `server_error`, gives up after `invalid_prompt`, and takes an overload for final. */
const FORMS: Readonly<Record<ErrorKind, ErrorForm>> = {
  invalid_request_error: { type: INVALID, code: null, failure: 'invalid_prompt' },
  authentication_error: { type: INVALID, code: 'invalid_api_key', failure: 'invalid_prompt' },
  billing_error: {
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    failure: 'insufficient_quota',
    status: 429,
  },
  permission_error: { type: INVALID, code: 'permission_denied', failure: 'invalid_prompt' },
  not_found_error: { type: INVALID, code: 'not_found', failure: 'invalid_prompt' },
  conflict_error: { type: INVALID, code: 'conflict', failure: RETRIED },
  request_too_large: { type: INVALID, code: 'request_too_large', failure: 'invalid_prompt' },
  rate_limit_error: {
    type: 'rate_limit_error',
    code: 'rate_limit_exceeded',
    failure: 'rate_limit_exceeded',
  },
  api_error: { type: 'server_error', code: 'server_error', failure: RETRIED },
  timeout_error: { type: 'server_error', code: 'timeout', failure: RETRIED },
  // As an HTTP answer too, `server_is_overloaded` would be final for Codex.
  overloaded_error: { type: 'service_unavailable_error', code: null, failure: RETRIED, status: 503 },
}

/** An error as an HTTP answer; the id of the request is named where the gateway has given it one. */
export function encodeError(error: HubError, requestId?: string): EncodedError {
  const { type, status } = FORMS[error.kind]
  return {
    status: status ?? error.status,
    headers: {
      'content-type': 'application/json',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...retryHeaders(error),
    },
    body: JSON.stringify({
      error: { message: openAiWords(error), type, param: error.path || null, code: codeOf(error) },
    }),
  }
}

/** What a stream says of its failure. */
export interface Failure {
  readonly code: string
  readonly message: string
}

/** An error inside of a stream. */
export function failureOf(error: HubError): Failure {
  if (error.overflow !== undefined) return { code: OVERFLOW_CODE, message: openAiWords(error) }
  const { failure: code } = FORMS[error.kind]
  if (code !== 'rate_limit_exceeded' || error.retryAfter === undefined)
    return { code, message: error.message }
  // These are the words in which Codex looks for the time to wait.
  const wait = `Please try again in ${error.retryAfter}s.`
  return {
    code,
    message: error.message.includes('try again in') ? error.message : `${error.message} ${wait}`,
  }
}

function codeOf(error: HubError): string | null {
  if (error.overflow !== undefined) return OVERFLOW_CODE
  if (error.code !== undefined) return error.code
  const { kind, path, message } = error
  if (kind !== 'not_found_error') return FORMS[kind].code
  if (path === 'previous_response_id') return 'previous_response_not_found'
  if (path === undefined || path === 'model')
    return /\bmodel\b/i.test(message) ? 'model_not_found' : 'not_found'
  return null
}
