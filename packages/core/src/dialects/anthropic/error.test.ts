import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import type { ErrorKind, HubErrorDetails } from '../../hub/error.ts'
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
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded: line\\nbreak"}}\n\n',
  )
})

function toldInStream(error: HubError): unknown {
  const [, data = ''] = /^event: error\ndata: (.*)\n\n$/.exec(encodeErrorEvent(error)) ?? []
  return (JSON.parse(data) as { error: unknown }).error
}

test.each<ErrorKind>(['api_error', 'timeout_error', 'overloaded_error'])(
  'a %s in a stream is told as an overload, after which agents ask again',
  (kind) => {
    const told = { type: 'overloaded_error', message: 'Overloaded: upstream up: the connection broke' }
    expect(toldInStream(new HubError(kind, 'upstream up: the connection broke'))).toEqual(told)
  },
)

test('an overload in a stream that says so already keeps its words', () => {
  expect(toldInStream(new HubError('overloaded_error', 'Overloaded'))).toMatchObject({
    message: 'Overloaded',
  })
})

test.each<[ErrorKind, HubErrorDetails]>([
  ['invalid_request_error', {}],
  ['authentication_error', {}],
  ['rate_limit_error', {}],
  ['api_error', { shouldRetry: false }],
])('a %s %j in a stream stays what it is: another try would not help, or only later', (kind, details) => {
  expect(toldInStream(new HubError(kind, 'no', details))).toEqual({ type: kind, message: 'no' })
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
  const error = decodeError(failure(400, anthropic('invalid_request_error', message)))
  expect(error.message).toBe(message)
  expect(JSON.parse(encodeError(error).body)).toMatchObject({ error: { message } })
})

test('an overflow in the words of another vendor is told in those of Anthropic', () => {
  const message =
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 100001 tokens and your request has 81126 input tokens (32000 > 100001 - 81126)."
  const { body } = encodeError(decodeError(failure(400, anthropic('BadRequestError', message))))
  expect(JSON.parse(body)).toMatchObject({
    error: {
      type: 'invalid_request_error',
      message:
        'input length and `max_tokens` exceed context limit: 81126 + 32000 > 100001, decrease input length or `max_tokens` and try again',
    },
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

test.each([
  // Zhipu's number for an empty account.
  [429, { error: { code: '1113', message: 'no' } }, 'billing_error', 'no'],
  // Claude on Google's platform.
  [
    429,
    [{ error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } }],
    'rate_limit_error',
    'Quota',
  ],
  [
    422,
    { detail: [{ loc: ['messages'], msg: 'is missing' }] },
    'invalid_request_error',
    'messages: is missing',
  ],
])('an error %i of a server that has another form keeps its words: %o', (status, body, kind, message) => {
  expect(decodeError(failure(status, JSON.stringify(body)))).toMatchObject({ kind, message })
})

test('a code beside the type says that it is an overflow', () => {
  const error = { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'no' }
  expect(decodeError(failure(400, JSON.stringify({ error }))).overflow).toBeDefined()
})
