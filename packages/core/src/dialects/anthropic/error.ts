import { describeOverflow } from '../../clients/claude-code.ts'
import { STATUS_OF_KIND } from '../../hub/error.ts'
import type { ErrorKind, HubError } from '../../hub/error.ts'
import {
  decodeError as decodeOtherError,
  decodeErrorPayload as decodeOtherPayload,
  isErrorPayload as isOtherPayload,
} from '../../errors/openai-error.ts'
import { mayPass, overloadWords } from '../../errors/passing-failure.ts'
import { retryHeaders } from '../../errors/retry-headers.ts'
import { upstreamError } from '../../errors/upstream-error.ts'
import type { UpstreamFacts } from '../../errors/upstream-error.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { jsonIn } from '../../json/wire.ts'
import { formatEvent } from '../../sse/format.ts'
import type { EncodedError, UpstreamFailure } from '../dialect.ts'

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

/**
 * An error as the last event of a stream. There is no status that would say whether another try may help: of all errors
 * in a stream, clients ask again only after an overload. So a temporary failure is sent as an overload, with its own message.
 */
export function encodeErrorEvent(error: HubError): string {
  const body = mayPass(error)
    ? { type: 'error', error: { type: 'overloaded_error', message: overloadWords(error.message) } }
    : errorBody(error)
  return formatEvent('error', JSON.stringify(body))
}

/** An HTTP answer with an error status, as the error for the client. */
export function decodeError(failure: UpstreamFailure): HubError {
  const { status, headers, body } = failure
  const own = ownFacts(jsonIn(body))
  return own === undefined ? decodeOtherError(failure) : upstreamError({ ...own, status, headers })
}

/** The data of an `error` event, or an error in place of a message, as the error for the client. */
export function decodeErrorPayload(payload: unknown, status?: number): HubError {
  const own = ownFacts(payload)
  if (own === undefined) return decodeOtherPayload(payload, status)
  return upstreamError({ ...own, status: status !== undefined && status >= 400 ? status : undefined })
}

/** Whether an event, or a whole body, is an error that does not say so by its type. */
export function isUntypedError(name: string | undefined, value: unknown): boolean {
  if (isJsonObject(value) && value['type'] !== undefined) return false
  return name === 'error' || isOtherPayload(value)
}

function errorBody({ kind, message, overflow }: HubError): object {
  const words = overflow === undefined ? message : describeOverflow(overflow, message)
  return { type: 'error', error: { type: kind, message: words } }
}

/** What an error of Anthropic's own form says; gateways and other servers that speak Messages have forms of others. */
function ownFacts(payload: unknown): UpstreamFacts | undefined {
  const error = isJsonObject(payload) ? payload['error'] : undefined
  if (!isJsonObject(error)) return undefined
  const { type, message, code } = error
  if (typeof type !== 'string' || !isErrorKind(type) || typeof message !== 'string') return undefined
  return { message, labels: typeof code === 'string' ? [code, type] : [type], kind: type }
}

function isErrorKind(type: string): type is ErrorKind {
  return Object.hasOwn(STATUS_OF_KIND, type)
}
