import type { ErrorKind, HubError } from '../../hub/error.ts'
import { openAiWords, OVERFLOW_CODE } from '../../errors/openai-overflow.ts'
import { mayPass, overloadWords } from '../../errors/passing-failure.ts'
import { retryHeaders } from '../../errors/retry-headers.ts'
import type { EncodedError } from '../dialect.ts'

/** How OpenAI names a family of errors. */
interface ErrorForm {
  readonly type: string
  readonly code: string | null
  /** Where OpenAI has another status for it than the hub. */
  readonly status?: number
}

const FORMS: Readonly<Record<ErrorKind, ErrorForm>> = {
  invalid_request_error: { type: 'invalid_request_error', code: null },
  authentication_error: { type: 'invalid_request_error', code: 'invalid_api_key' },
  billing_error: { type: 'insufficient_quota', code: 'insufficient_quota' },
  permission_error: { type: 'invalid_request_error', code: 'permission_denied' },
  not_found_error: { type: 'invalid_request_error', code: 'not_found' },
  conflict_error: { type: 'invalid_request_error', code: 'conflict' },
  request_too_large: { type: 'invalid_request_error', code: 'request_too_large' },
  rate_limit_error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  api_error: { type: 'server_error', code: 'server_error' },
  timeout_error: { type: 'server_error', code: 'timeout' },
  overloaded_error: { type: 'service_unavailable_error', code: 'server_is_overloaded', status: 503 },
}

/** An error as an HTTP answer; the id of the request is named where the gateway has given it one. */
export function encodeError(error: HubError, requestId?: string): EncodedError {
  return {
    status: (hasOwnStatus(error) ? undefined : FORMS[error.kind].status) ?? error.status,
    headers: {
      'content-type': 'application/json',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...retryHeaders(error),
    },
    body: JSON.stringify(errorBody(error)),
  }
}

/**
 * An error as the last event of a stream. SDKs take it for the failure of the request and never try it again
 * themselves; agents do after the words and the code of an overload, and give up after all others.
 */
export function encodeErrorEvent(error: HubError): string {
  const body = errorBody(error)
  const told = mayPass(error)
    ? { ...body.error, message: overloadWords(body.error.message), code: '503' }
    : body.error
  return `data: ${JSON.stringify({ error: told })}\n\n`
}

interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
}

function errorBody(error: HubError): ErrorBody {
  const { type, code } = FORMS[error.kind]
  if (error.overflow !== undefined)
    return { error: { message: openAiWords(error), type, param: 'messages', code: OVERFLOW_CODE } }
  return { error: { message: error.message, type, param: error.path || null, code: codeOf(error, code) } }
}

function codeOf({ kind, path, message, code: own }: HubError, code: string | null): string | null {
  if (own !== undefined) return own
  if (kind !== 'not_found_error') return code
  return path === 'model' || /\bmodel\b/i.test(message) ? 'model_not_found' : code
}

function hasOwnStatus({ kind, status }: HubError): boolean {
  return kind === 'overloaded_error' && status !== 529
}
