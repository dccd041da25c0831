import type { HubError } from '../../hub/error.ts'
import type { ErrorKind } from '../../hub/error.ts'
import {
  decodeError as decodeOtherError,
  decodeErrorPayload as decodeOtherPayload,
  isErrorPayload as isOtherPayload,
} from '../../errors/openai-error.ts'
import { upstreamError, type UpstreamFacts } from '../../errors/upstream-error.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { jsonIn } from '../../json/wire.ts'
import type { EncodedError, UpstreamFailure } from '../dialect.ts'

/** What the types of error details begin with. */
const TYPE = 'type.googleapis.com/google.rpc.'

/** How Google refuses a key where it leaves out the details. */
const BAD_KEY = /API key (?:not valid|expired|not found)/i

/** A quota that is not filled up again within any time that a client would wait. */
const LONG_QUOTA = /PerDay|Daily/i

/** Whether a value is an error rather than a part of an answer; streams without `alt=sse` put it into an array. */
export function isErrorPayload(value: unknown): boolean {
  return isGoogles(value) || (!isAnswer(value) && isOtherPayload(value))
}

/** Some gateways add a `message` of their own to what they pass on. */
function isAnswer(value: unknown): boolean {
  return (
    isJsonObject(value) && ['candidates', 'usageMetadata', 'promptFeedback'].some((name) => name in value)
  )
}

function isGoogles(value: unknown): boolean {
  const payload: unknown = Array.isArray(value) ? value[0] : value
  return isJsonObject(payload) && isJsonObject(payload['error'])
}

/** An HTTP answer with an error status, as the error for the client. */
export function decodeError(failure: UpstreamFailure): HubError {
  const { status, headers, body } = failure
  const payload = jsonIn(body.replace(/^\s*data:\s*/, ''))
  return isGoogles(payload) ? upstreamError(factsOf(payload, { status, headers })) : decodeOtherError(failure)
}

/** An error that came in a stream or in an answer with a status of success. */
export function decodeErrorPayload(payload: unknown): HubError {
  if (!isGoogles(payload)) return decodeOtherPayload(payload)
  return upstreamError(factsOf(payload, { status: undefined, headers: {} }))
}

type Http = Pick<UpstreamFacts, 'status'> & { readonly headers: UpstreamFailure['headers'] }

function factsOf(payload: unknown, http: Http): UpstreamFacts {
  const outer: unknown = Array.isArray(payload) ? payload[0] : payload
  const error = isJsonObject(outer) && isJsonObject(outer['error']) ? outer['error'] : {}
  const details = (Array.isArray(error['details']) ? error['details'] : []).filter(isJsonObject)
  const message = textOf(error['message'])
  // Servers that call Google by its SDK pass on what that throws: the whole answer as the message.
  const inner = /^\s*[[{]/.test(message) ? jsonIn(message) : undefined
  if (isGoogles(inner)) return factsOf(inner, http)
  const labels = [
    ...detailsOf(details, 'ErrorInfo').map(({ reason }) => textOf(reason)),
    textOf(error['status']),
  ]
  const facts = {
    message,
    labels: labels.filter((label) => label !== ''),
    status: http.status ?? statusOf(error['code']),
    headers: { ...http.headers, ...retryHeaders(details, message) },
  }
  return { ...facts, ...specialKind(facts) }
}

/** Failures whose status says something else than Google means by it. */
function specialKind({ labels, status, message }: UpstreamFacts): { kind?: ErrorKind; status?: number } {
  if (labels.includes('API_KEY_INVALID') || (status === 400 && BAD_KEY.test(message)))
    return { kind: 'authentication_error', status: 401 }
  if (labels.includes('FAILED_PRECONDITION')) return { kind: 'permission_error', status: 403 }
  if (status === 504 || labels.includes('DEADLINE_EXCEEDED')) return { kind: 'timeout_error', status: 504 }
  // We did not cancel it: somebody at Google's did, and another try may end well.
  if (status === 499 || labels.includes('CANCELLED')) return { kind: 'api_error', status: 500 }
  return {}
}

/** How long to wait, and whether waiting helps, in the headers that the rest of us reads. */
function retryHeaders(details: readonly JsonObject[], message: string): Record<string, string> {
  const delay = secondsOf(detailsOf(details, 'RetryInfo')[0]?.['retryDelay'])
  const violations = detailsOf(details, 'QuotaFailure').flatMap(({ violations: list }) =>
    Array.isArray(list) ? list.filter(isJsonObject) : [],
  )
  const isLong =
    violations.some(({ quotaId }) => LONG_QUOTA.test(textOf(quotaId))) || /limit: 0\b/.test(message)
  return {
    ...(delay !== undefined && { 'retry-after': String(delay) }),
    ...(isLong && { 'x-should-retry': 'false' }),
  }
}

/** Reads a duration of protobuf's JSON form: `48s`, `34.07s`; some services send `900ms`. */
function secondsOf(value: unknown): number | undefined {
  const [, digits, unit] = /^(\d{1,9}(?:\.\d{1,12})?)(ms|s)$/.exec(textOf(value)) ?? []
  if (digits === undefined) return undefined
  return unit === 'ms' ? Number(digits) / 1000 : Number(digits)
}

function detailsOf(details: readonly JsonObject[], type: string): readonly JsonObject[] {
  return details.filter((detail) => detail['@type'] === TYPE + type)
}

function statusOf(code: unknown): number | undefined {
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Google's name and status for each kind of error. */
const STATUS_OF_KIND: Readonly<Record<ErrorKind, readonly [code: number, status: string]>> = {
  invalid_request_error: [400, 'INVALID_ARGUMENT'],
  authentication_error: [401, 'UNAUTHENTICATED'],
  billing_error: [403, 'PERMISSION_DENIED'],
  permission_error: [403, 'PERMISSION_DENIED'],
  not_found_error: [404, 'NOT_FOUND'],
  conflict_error: [409, 'ABORTED'],
  request_too_large: [400, 'INVALID_ARGUMENT'],
  rate_limit_error: [429, 'RESOURCE_EXHAUSTED'],
  api_error: [500, 'INTERNAL'],
  timeout_error: [504, 'DEADLINE_EXCEEDED'],
  overloaded_error: [503, 'UNAVAILABLE'],
}

/** Failures after which all known clients retry only on the status `UNAVAILABLE`. */
const PASSING: ReadonlySet<ErrorKind> = new Set(['api_error', 'timeout_error', 'overloaded_error'])

/** An error as an HTTP answer: a `google.rpc.Status`, with how long to wait in the body, where clients look. */
export function encodeError(error: HubError): EncodedError {
  const [code] = STATUS_OF_KIND[error.kind]
  const shown = code >= 500 && error.status > 500 && error.status < 505 ? error.status : code
  return {
    status: shown,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(error.retryAfter !== undefined && {
        'retry-after': String(Math.max(1, Math.ceil(error.retryAfter))),
      }),
    },
    body: JSON.stringify({ error: statusBody(error, shown) }),
  }
}

/** An error inside of a stream, after which a client asks again if that can help. */
export function encodeStreamError(error: HubError): string {
  const code = PASSING.has(error.kind) ? 503 : STATUS_OF_KIND[error.kind][0]
  return JSON.stringify({ error: statusBody(error, code) })
}

function statusBody(error: HubError, code: number): object {
  const [, status] = STATUS_OF_KIND[error.kind]
  const details = detailsFor(error)
  return {
    code,
    message: overflowWords(error),
    status: code === 503 ? 'UNAVAILABLE' : status,
    ...(details.length > 0 && { details }),
  }
}

/** There is no code for an overflow: Google's sentence is how its clients would know. */
function overflowWords({ message, overflow: { tokens, limit, output = 0 } = {} }: HubError): string {
  if (tokens === undefined || limit === undefined || tokens + output <= limit)
    return message === '' ? 'unknown error' : message
  return `The input token count (${tokens + (tokens > limit ? 0 : output)}) exceeds the maximum number of tokens allowed (${limit}).`
}

function detailsFor(error: HubError): object[] {
  const details: object[] = []
  if (error.path !== undefined && error.path !== '') {
    const description = error.message.startsWith(`${error.path}: `)
      ? error.message.slice(error.path.length + 2)
      : error.message
    details.push({ '@type': `${TYPE}BadRequest`, fieldViolations: [{ field: error.path, description }] })
  }
  // Gemini CLI goes on for minutes after a limit, unless it is one of the day.
  if (error.kind === 'rate_limit_error' && error.shouldRetry === false) {
    details.push({ '@type': `${TYPE}QuotaFailure`, violations: [{ quotaId: 'RequestsPerDay' }] })
  }
  if (error.retryAfter !== undefined) {
    details.push({ '@type': `${TYPE}RetryInfo`, retryDelay: `${error.retryAfter}s` })
  }
  return details
}
