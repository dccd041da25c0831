import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import type { ErrorKind } from '../../hub/error.ts'
import { decodeError, decodeErrorPayload, encodeError, encodeErrorEvent } from './error.ts'

const KINDS: readonly (readonly [ErrorKind, number])[] = [
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]

test.each(KINDS)('a %s is answered with %i and its own type', (kind, status) => {
  const encoded = encodeError(new HubError(kind, 'the words'))
  expect(encoded.status).toBe(status)
  expect(encoded.headers['content-type']).toBe('application/json')
  expect(JSON.parse(encoded.body)).toEqual({ type: 'error', error: { type: kind, message: 'the words' } })
})

test.each<ErrorKind>(['authentication_error', 'permission_error', 'billing_error'])(
  'a %s is never to be retried',
  (kind) => {
    expect(encodeError(new HubError(kind, 'no', { shouldRetry: true })).headers['x-should-retry']).toBe(
      'false',
    )
  },
)

test('a 401 of another kind is never to be retried either', () => {
  const error = new HubError('invalid_request_error', 'no', { status: 401 })
  expect(encodeError(error).headers['x-should-retry']).toBe('false')
})

test.each([
  [true, 'true'],
  [false, 'false'],
])('shouldRetry %s is told in a header', (shouldRetry, header) => {
  expect(encodeError(new HubError('api_error', 'x', { shouldRetry })).headers['x-should-retry']).toBe(header)
})

test('without a word about retrying there is no header', () => {
  expect(Object.keys(encodeError(new HubError('api_error', 'x')).headers)).toEqual(['content-type'])
})

test.each([
  [2, '2'],
  [1.2, '2'],
  [0.02, '1'],
  [0, '1'],
])('a wait of %s seconds is told as %s', (retryAfter, header) => {
  expect(encodeError(new HubError('rate_limit_error', 'x', { retryAfter })).headers['retry-after']).toBe(
    header,
  )
})

test('the id of the request is in the body and in a header', () => {
  const encoded = encodeError(new HubError('api_error', 'x'), 'req_1')
  expect(encoded.headers['request-id']).toBe('req_1')
  expect(JSON.parse(encoded.body)).toEqual({
    type: 'error',
    error: { type: 'api_error', message: 'x' },
    request_id: 'req_1',
  })
})

test('an error in a stream is one event with one line of data', () => {
  expect(encodeErrorEvent(new HubError('overloaded_error', 'line\nbreak'))).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"line\\nbreak"}}\n\n',
  )
})

function failure(status: number, body: unknown, headers: Record<string, string> = {}) {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

function anthropic(type: string, message: string) {
  return { type: 'error', error: { type, message }, request_id: 'req_1' }
}

test.each(KINDS)('a %s of an upstream stays what it is', (kind, status) => {
  expect(decodeError(failure(status, anthropic(kind, 'the words')))).toMatchObject({
    kind,
    status,
    message: 'the words',
  })
})

test('the status of an upstream is kept with its type', () => {
  expect(decodeError(failure(504, anthropic('api_error', 'x')))).toMatchObject({
    kind: 'api_error',
    status: 504,
  })
})

test('a type that is not known yields to the status', () => {
  expect(decodeError(failure(404, anthropic('BadRequestError', 'x')))).toMatchObject({
    kind: 'not_found_error',
    status: 404,
  })
})

test('the wait and the advice of an upstream are kept', () => {
  const headers = { 'retry-after': '12', 'x-should-retry': 'true' }
  expect(decodeError(failure(429, anthropic('rate_limit_error', 'x'), headers))).toMatchObject({
    retryAfter: 12,
    shouldRetry: true,
  })
})

test.each([
  'prompt is too long: 213462 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 199000 + 21333 > 200000, decrease input length or `max_tokens` and try again',
])('the words about an overflow are passed on unchanged: %s', (message) => {
  expect(decodeError(failure(400, anthropic('invalid_request_error', message))).message).toBe(message)
})

test('an overflow in the words of another vendor is told in those of Anthropic', () => {
  const message =
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 100001 tokens and your request has 81126 input tokens (32000 > 100001 - 81126)."
  expect(decodeError(failure(400, anthropic('BadRequestError', message)))).toMatchObject({
    kind: 'invalid_request_error',
    message:
      'input length and `max_tokens` exceed context limit: 81126 + 32000 > 100001, decrease input length or `max_tokens` and try again',
  })
})

test('a body that is no JSON is told as text', () => {
  expect(decodeError(failure(503, '<html><title>Busy</title></html>'))).toMatchObject({
    kind: 'overloaded_error',
    status: 529,
    message: 'Busy',
  })
  expect(decodeError(failure(500, '')).message).toBe('the upstream answered with status 500 and no message')
})

test.each([
  [anthropic('overloaded_error', 'Overloaded'), 'overloaded_error', 529, 'Overloaded'],
  [anthropic('rate_limit_error', 'slow'), 'rate_limit_error', 429, 'slow'],
  [anthropic('brand_new_error', 'x'), 'api_error', 500, 'x'],
  [{ error: 'x' }, 'api_error', 500, 'x'],
  [{ detail: 'x' }, 'api_error', 500, 'x'],
  ['x', 'api_error', 500, 'x'],
  [null, 'api_error', 500, 'the upstream reported an error with no message'],
])('the payload %o of an error event becomes a %s', (payload, kind, status, message) => {
  expect(decodeErrorPayload(payload)).toMatchObject({ kind, status, message })
})
