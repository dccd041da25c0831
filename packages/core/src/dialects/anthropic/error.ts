import { STATUS_OF_KIND } from '../../hub/error.ts'
import type { ErrorKind, HubError } from '../../hub/error.ts'
import { upstreamError } from '../../hub/upstream-error.ts'
import type { UpstreamFacts } from '../../hub/upstream-error.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { formatEvent } from '../../sse/format.ts'
import type { EncodedError, UpstreamFailure } from '../dialect.ts'

/** Claude Code tries again for minutes after these, unless it is told not to. */
const NEVER_RETRIED: ReadonlySet<ErrorKind | number> = new Set([
  'authentication_error',
  'billing_error',
  'permission_error',
  401,
  402,
  403,
])

/** An error as an HTTP answer; the id of the request is named where the gateway has given it one. */
export function encodeError(error: HubError, requestId?: string): EncodedError {
  return {
    status: error.status,
    headers: {
      'content-type': 'application/json',
      ...(requestId !== undefined && { 'request-id': requestId }),
      ...retryHeaders(error),
    },
    body: JSON.stringify({ ...errorBody(error), ...(requestId !== undefined && { request_id: requestId }) }),
  }
}

/** An error as the last event of a stream. */
export function encodeErrorEvent(error: HubError): string {
  return formatEvent('error', JSON.stringify(errorBody(error)))
}

/** An HTTP answer with an error status, as the error that the client is told. */
export function decodeError(failure: UpstreamFailure): HubError {
  const { status, headers, body } = failure
  return upstreamError({ ...readPayload(parse(body) ?? body), status, headers })
}

/** The data of an `error` event, or an error in place of a message, as the error that the client is told. */
export function decodeErrorPayload(payload: unknown, status?: number): HubError {
  return upstreamError({
    ...readPayload(payload),
    status: status !== undefined && status >= 400 ? status : undefined,
  })
}

function errorBody(error: HubError): object {
  return { type: 'error', error: { type: error.kind, message: error.message } }
}

function retryHeaders(error: HubError): Record<string, string> {
  const headers: Record<string, string> = {}
  // Zero, or a fraction, would be read as no wait at all.
  if (error.retryAfter !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
  const isFinal = NEVER_RETRIED.has(error.kind) || NEVER_RETRIED.has(error.status)
  const shouldRetry = isFinal ? false : error.shouldRetry
  if (shouldRetry !== undefined) headers['x-should-retry'] = String(shouldRetry)
  return headers
}

function readPayload(payload: unknown): UpstreamFacts {
  if (typeof payload === 'string') return { message: payload, labels: [] }
  const outer = isJsonObject(payload) ? payload : {}
  const error = isJsonObject(outer['error']) ? outer['error'] : outer
  const type = typeof error['type'] === 'string' ? error['type'] : ''
  const message =
    [error['message'], outer['error'], outer['detail']].find((text) => typeof text === 'string') ?? ''
  return { message, labels: type === '' ? [] : [type], kind: isErrorKind(type) ? type : undefined }
}

function isErrorKind(type: string): type is ErrorKind {
  return Object.hasOwn(STATUS_OF_KIND, type)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
