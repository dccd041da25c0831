import type { ErrorType } from '@anthropic-ai/sdk/resources/shared'

/** The families of errors a client can be told about, by Anthropic's names. */
export type ErrorKind =
  | Exclude<ErrorType, 'memory_precondition_failed_error' | 'memory_path_conflict_error'>
  | 'request_too_large'

/** The HTTP status that goes with each kind. */
export const STATUS_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** What a `HubError` may say beyond its kind and message. */
export interface HubErrorDetails {
  /** The JSON path of the fault in the request. */
  readonly path?: string
  /** Overrides the status that goes with the kind. */
  readonly status?: number
  /** How long to wait before the next try, in seconds. */
  readonly retryAfter?: number
  /** Whether trying again can help; unset leaves it to the client. */
  readonly shouldRetry?: boolean
  readonly cause?: unknown
}

/** The one error of this package: a failure with its family, ready to be told in any dialect. */
export class HubError extends Error {
  override readonly name = 'HubError'
  readonly kind: ErrorKind
  readonly status: number
  readonly path: string | undefined
  readonly retryAfter: number | undefined
  readonly shouldRetry: boolean | undefined

  constructor(kind: ErrorKind, message: string, details: HubErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? STATUS_OF_KIND[kind]
    this.path = details.path
    this.retryAfter = details.retryAfter
    this.shouldRetry = details.shouldRetry
  }
}

/** A request that cannot be used: 400, with the JSON path of the fault in front of the message. */
export function invalidRequest(path: string, message: string): HubError {
  return new HubError('invalid_request_error', path === '' ? message : `${path}: ${message}`, { path })
}

/** Whatever was thrown, as a `HubError`: an unknown failure is an `api_error` and keeps its cause. */
export function toHubError(thrown: unknown): HubError {
  if (thrown instanceof HubError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new HubError('api_error', message, { cause: thrown })
}
