import type { ErrorKind, HubError } from '../../hub/error.ts'
import type { EncodedError } from '../dialect.ts'

/** How OpenAI names a family of errors. */
interface ErrorForm {
  readonly type: string
  readonly code: string | null
  /** Where OpenAI has another status for it than the hub. */
  readonly status?: number
  /** Trying again cannot help. */
  readonly isFinal?: boolean
}

const FORMS: Readonly<Record<ErrorKind, ErrorForm>> = {
  invalid_request_error: { type: 'invalid_request_error', code: null },
  authentication_error: { type: 'invalid_request_error', code: 'invalid_api_key', isFinal: true },
  billing_error: { type: 'insufficient_quota', code: 'insufficient_quota', isFinal: true },
  permission_error: { type: 'invalid_request_error', code: 'permission_denied', isFinal: true },
  not_found_error: { type: 'invalid_request_error', code: 'not_found' },
  conflict_error: { type: 'invalid_request_error', code: 'conflict' },
  request_too_large: { type: 'invalid_request_error', code: 'request_too_large' },
  rate_limit_error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  api_error: { type: 'server_error', code: 'server_error' },
  timeout_error: { type: 'server_error', code: 'timeout' },
  overloaded_error: { type: 'service_unavailable_error', code: 'server_is_overloaded', status: 503 },
}

/** Statuses after which no client may try again. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 402, 403])

/** An overflow as the hub tells it, with its numbers. */
const TOO_LONG = /^prompt is too long(?:: (\d+) tokens > (\d+) maximum)?/
const NO_ROOM = /^input length and `max_tokens` exceed context limit: (\d+) \+ (\d+) > (\d+)/

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
    ? { ...body.error, message: overloaded(body.error.message), code: '503' }
    : body.error
  return `data: ${JSON.stringify({ error: told })}\n\n`
}

/** Whether an error is of a kind that another try may not meet. */
function mayPass({ kind, status, shouldRetry }: HubError): boolean {
  if (shouldRetry === false || FORMS[kind].isFinal === true) return false
  return status >= 500 && kind !== 'rate_limit_error'
}

function overloaded(message: string): string {
  return /^overloaded/i.test(message) ? message : `Overloaded: ${message}`
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
  const overflow = overflowMessage(error)
  if (overflow !== undefined) {
    return { error: { message: overflow, type, param: 'messages', code: 'context_length_exceeded' } }
  }
  return { error: { message: error.message, type, param: error.path || null, code: codeOf(error, code) } }
}

function codeOf({ kind, path, message }: HubError, code: string | null): string | null {
  if (kind !== 'not_found_error') return code
  return path === 'model' || /\bmodel\b/i.test(message) ? 'model_not_found' : code
}

/** An overflow in OpenAI's words, by which agents know that they must compact. */
function overflowMessage({ kind, message }: HubError): string | undefined {
  if (kind !== 'invalid_request_error') return undefined
  const [isFull, prompt, completion, size] = NO_ROOM.exec(message) ?? []
  if (isFull !== undefined) {
    const all = Number(prompt) + Number(completion)
    return `${limited(size)} you requested ${all} tokens (${prompt} in the messages, ${completion} in the completion). Please reduce the length of the messages or completion.`
  }
  const [isLong, tokens, limit] = TOO_LONG.exec(message) ?? []
  if (isLong === undefined) return undefined
  if (limit === undefined) return message
  return `${limited(limit)} your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
}

function limited(tokens: string | undefined): string {
  return `This model's maximum context length is ${tokens} tokens. However,`
}

function hasOwnStatus({ kind, status }: HubError): boolean {
  return kind === 'overloaded_error' && status !== 529
}

function retryHeaders(error: HubError): Record<string, string> {
  const headers: Record<string, string> = {}
  // Zero, or a fraction, would be read as no wait at all.
  if (error.retryAfter !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
  }
  const isFinal = FORMS[error.kind].isFinal === true || FINAL_STATUSES.has(error.status)
  const shouldRetry = isFinal ? false : error.shouldRetry
  if (shouldRetry !== undefined) headers['x-should-retry'] = String(shouldRetry)
  return headers
}
