import { expect, test } from 'vitest'
import { HubError, invalidRequest } from '../../hub/error.ts'
import { decodeError, encodeError, encodeStreamError, isErrorPayload } from './error.ts'

const RPC = 'type.googleapis.com/google.rpc.'

function failure(status: number, error: object): HubError {
  return decodeError({ status, headers: {}, body: JSON.stringify({ error }) })
}

test.each<[number, object, object]>([
  [400, { status: 'INVALID_ARGUMENT', message: 'Bad.' }, { kind: 'invalid_request_error', status: 400 }],
  [
    400,
    {
      status: 'INVALID_ARGUMENT',
      message: 'API key not valid.',
      details: [{ '@type': `${RPC}ErrorInfo`, reason: 'API_KEY_INVALID' }],
    },
    { kind: 'authentication_error', status: 401 },
  ],
  [
    400,
    { status: 'FAILED_PRECONDITION', message: 'User location is not supported.' },
    { kind: 'permission_error', status: 403 },
  ],
  [
    400,
    { status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' },
    { kind: 'authentication_error', status: 401 },
  ],
  [499, { status: 'CANCELLED', message: 'Cancelled.' }, { kind: 'api_error', status: 500 }],
  [
    429,
    { status: 'RESOURCE_EXHAUSTED', message: 'Your prepayment credits are depleted.' },
    { kind: 'billing_error', status: 402 },
  ],
  [403, { status: 'PERMISSION_DENIED', message: 'No.' }, { kind: 'permission_error' }],
  [404, { status: 'NOT_FOUND', message: 'models/x is not found.' }, { kind: 'not_found_error' }],
  [500, { status: 'INTERNAL', message: 'Oh.' }, { kind: 'api_error' }],
  [503, { status: 'UNAVAILABLE', message: 'The model is overloaded.' }, { kind: 'overloaded_error' }],
  [504, { status: 'DEADLINE_EXCEEDED', message: 'Late.' }, { kind: 'timeout_error', status: 504 }],
])('G30: %i %j is told as %j', (status, error, expected) => {
  expect(failure(status, { code: status, ...error })).toMatchObject(expected)
})

test.each([
  ['48s', 48],
  ['34.07s', 34.07],
  ['900ms', 0.9],
])('G31: the wait of %s is %d seconds', (retryDelay, seconds) => {
  const details = [{ '@type': `${RPC}RetryInfo`, retryDelay }]
  const error = failure(429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details })
  expect(error).toMatchObject({ kind: 'rate_limit_error', retryAfter: seconds })
})

test('G32: a quota of the day is not worth another try', () => {
  const details = [{ '@type': `${RPC}QuotaFailure`, violations: [{ quotaId: 'RequestsPerDayPerProject' }] }]
  expect(failure(429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details }).shouldRetry).toBe(false)
  expect(failure(429, { status: 'RESOURCE_EXHAUSTED', message: 'Quota, limit: 0' }).shouldRetry).toBe(false)
})

test.each([
  'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576. Reduce the input token count and try again.',
])('G33: an overflow is recognised, with its numbers: %s', (message) => {
  const error = failure(400, { status: 'INVALID_ARGUMENT', message })
  expect(error.overflow).toMatchObject({ tokens: 1_200_000, limit: 1_048_576 })
})

test('G34: an error in an array, or in no JSON at all, is read as well', () => {
  const body = JSON.stringify([{ error: { code: 403, status: 'PERMISSION_DENIED', message: 'No.' } }])
  expect(decodeError({ status: 403, headers: {}, body })).toMatchObject({ message: 'No.' })
  expect(decodeError({ status: 502, headers: {}, body: '<html>Bad gateway</html>' }).kind).toBe('api_error')
  for (const other of [{ error: 'No.' }, { message: 'No.' }, { detail: 'No.' }]) {
    const failed = decodeError({ status: 403, headers: {}, body: JSON.stringify(other) })
    expect(failed).toMatchObject({ kind: 'permission_error', message: 'No.' })
  }
})

function told(error: HubError): { status: number; error: Record<string, unknown> } {
  const { status, body } = encodeError(error)
  return { status, ...(JSON.parse(body) as { error: Record<string, unknown> }) }
}

test.each<[HubError, number, string]>([
  [invalidRequest('contents[0].parts[0]', 'expected an object'), 400, 'INVALID_ARGUMENT'],
  [new HubError('authentication_error', 'no key'), 401, 'UNAUTHENTICATED'],
  [new HubError('billing_error', 'pay'), 403, 'PERMISSION_DENIED'],
  [new HubError('not_found_error', 'no model'), 404, 'NOT_FOUND'],
  [new HubError('request_too_large', 'long'), 400, 'INVALID_ARGUMENT'],
  [new HubError('rate_limit_error', 'slow down'), 429, 'RESOURCE_EXHAUSTED'],
  [new HubError('api_error', 'oh'), 500, 'INTERNAL'],
  [new HubError('api_error', 'cut', { status: 502 }), 502, 'INTERNAL'],
  [new HubError('overloaded_error', 'busy'), 503, 'UNAVAILABLE'],
  [new HubError('timeout_error', 'late'), 504, 'DEADLINE_EXCEEDED'],
])('G35: a client is told %s as %i %s', (error, status, name) => {
  expect(told(error)).toMatchObject({ status, error: { code: status, status: name } })
})

test('G36: the place of a fault is a field violation', () => {
  const { error } = told(invalidRequest('contents[0].parts[0].text', 'expected string, got number'))
  expect(error['details']).toEqual([
    {
      '@type': `${RPC}BadRequest`,
      fieldViolations: [{ field: 'contents[0].parts[0].text', description: 'expected string, got number' }],
    },
  ])
})

test('G37: how long to wait is in the body, where Gemini CLI looks, and a limit of the day says so', () => {
  const { error } = told(new HubError('rate_limit_error', 'slow', { retryAfter: 2.5, shouldRetry: false }))
  expect(error['details']).toEqual([
    { '@type': `${RPC}QuotaFailure`, violations: [expect.objectContaining({ quotaId: 'RequestsPerDay' })] },
    { '@type': `${RPC}RetryInfo`, retryDelay: '2.5s' },
  ])
})

test('G38: an overflow is told in Google’s sentence', () => {
  const overflow = { tokens: 12, limit: 10 }
  const { error } = told(new HubError('invalid_request_error', 'too long', { overflow }))
  expect(error['message']).toBe(
    'The input token count (12) exceeds the maximum number of tokens allowed (10).',
  )
})

test('G39: a failure in mid-stream is one after which clients ask again', () => {
  const cut = new HubError('api_error', 'the connection broke', { status: 502 })
  expect(JSON.parse(encodeStreamError(cut))).toEqual({
    error: { code: 503, message: 'the connection broke', status: 'UNAVAILABLE' },
  })
  const refused = invalidRequest('x', 'no')
  expect(JSON.parse(encodeStreamError(refused))).toMatchObject({ error: { code: 400 } })
})

test('G34: an answer of Google’s as the message of an error is that error', () => {
  const details = [{ '@type': `${RPC}RetryInfo`, retryDelay: '3s' }]
  const inner = { error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED', details } }
  const error = failure(429, {
    code: 429,
    message: `${JSON.stringify(inner, null, 2)}\n`,
    status: 'Too Many Requests',
  })
  expect(error).toMatchObject({ kind: 'rate_limit_error', message: 'Quota.', retryAfter: 3 })
})

test('a message that a gateway writes beside an answer is no error', () => {
  expect(isErrorPayload({ code: 0, message: 'success', candidates: [] })).toBe(false)
  expect(isErrorPayload({ code: 1, message: 'no' })).toBe(true)
  expect(isErrorPayload({ error: { message: 'no' }, candidates: [] })).toBe(true)
})
