import type { ErrorType } from '@anthropic-ai/sdk/resources/shared'

/** The kinds of errors, by Anthropic's names. */
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

/** Takes secrets out of a text of foreign origin. */
export type Hide = (text: string) => string

/** The numbers of a context overflow, as far as the upstream gave them. */
export interface OverflowCounts {
  /** The tokens of the prompt. */
  readonly tokens?: number | undefined
  /** The tokens asked for as an answer. */
  readonly output?: number | undefined
  /** What the context holds. */
  readonly limit?: number | undefined
}

/** What a `HubError` may say beyond its kind and message. */
export interface HubErrorDetails {
  /** The JSON path of the fault in the request. */
  readonly path?: string | undefined
  /** Overrides the status that goes with the kind. */
  readonly status?: number | undefined
  /** How long to wait before the next try, in seconds. */
  readonly retryAfter?: number | undefined
  /** Whether trying again can help; unset leaves it to the client. */
  readonly shouldRetry?: boolean | undefined
  /** Makes the message anew from an upstream's words after secrets were taken out of them, before they are cut or masked. */
  readonly retell?: ((hide: Hide) => string) | undefined
  /** Set where the prompt is too long for the model: each client's dialect has its own words for that. */
  readonly overflow?: OverflowCounts | undefined
  /** A word for programs, in dialects whose errors have a place for one. */
  readonly code?: string | undefined
  /** The upstream has said so itself; otherwise it is what we made of its behaviour. */
  readonly isUpstreams?: boolean | undefined
  /** The answer is complete and ends with this, in words that clients of the upstream's dialect know. */
  readonly endsAnswer?: boolean | undefined
  /** What the upstream answered with, where the client speaks its dialect and can read that itself. */
  readonly body?: string | undefined
  /** The status of that answer. */
  readonly bodyStatus?: number | undefined
  readonly cause?: unknown
}

/** The one error of this package: a failure with its family, ready to be encoded in any dialect. */
export class HubError extends Error {
  override readonly name = 'HubError'
  readonly kind: ErrorKind
  readonly status: number
  readonly path: string | undefined
  readonly retryAfter: number | undefined
  readonly shouldRetry: boolean | undefined
  readonly #retell: HubErrorDetails['retell']
  readonly overflow: OverflowCounts | undefined
  readonly code: string | undefined
  readonly isUpstreams: boolean
  readonly endsAnswer: boolean
  readonly body: string | undefined
  readonly bodyStatus: number | undefined

  constructor(kind: ErrorKind, message: string, details: HubErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? STATUS_OF_KIND[kind]
    this.path = details.path
    this.retryAfter = details.retryAfter
    this.shouldRetry = details.shouldRetry
    this.overflow = details.overflow
    this.code = details.code
    this.isUpstreams = details.isUpstreams ?? false
    this.endsAnswer = details.endsAnswer ?? false
    this.body = details.body
    this.bodyStatus = details.bodyStatus
    this.#retell = details.retell
  }

  /** The same error with the upstream's own answer, for clients that can read it: a JSON object, without keys. */
  withBody(body: string, bodyStatus: number): HubError {
    if (!isJsonText(body)) return this
    return this.#changed(this.message, { body, bodyStatus, retell: this.#retell })
  }

  /** The same error without the secrets that an upstream may have quoted in its words. */
  hiding(hide: Hide): HubError {
    const message = hide(this.#retell?.(hide) ?? this.message)
    const body = this.body === undefined ? undefined : hide(this.body)
    if (message === this.message && body === this.body) return this
    return this.#changed(message, { body })
  }

  /** Without what it was made of: that is the same no more. */
  #changed(message: string, changes: HubErrorDetails): HubError {
    const { kind, status, path, retryAfter, shouldRetry, overflow, code, isUpstreams, endsAnswer } = this
    const { body, bodyStatus } = this
    const kept = {
      status,
      path,
      retryAfter,
      shouldRetry,
      overflow,
      code,
      isUpstreams,
      endsAnswer,
      body,
      bodyStatus,
    }
    return new HubError(kind, message, { ...kept, ...changes })
  }
}

function isJsonText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
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
