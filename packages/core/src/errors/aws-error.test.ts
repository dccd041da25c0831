import { expect, test } from 'vitest'
import { decodeError } from './aws-error.ts'

function failure(status: number, body: unknown, headers: Record<string, string> = {}): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const error = decodeError({ status, headers, body: text })
  const { kind, message, shouldRetry, retryAfter, overflow } = error
  return { kind, status: error.status, message, shouldRetry, retryAfter, overflow }
}

test.each([
  ['throttling', 'ThrottlingException', 400, 'rate_limit_error', 429],
  ['a quota', 'ServiceQuotaExceededException', 402, 'rate_limit_error', 429],
  ['a fault of the request', 'ValidationException', 400, 'invalid_request_error', 400],
  ['no access', 'AccessDeniedException', 403, 'permission_error', 403],
  ['a token that is over', 'ExpiredTokenException', 403, 'authentication_error', 401],
  ['a token that nobody knows', 'UnrecognizedClientException', 400, 'authentication_error', 401],
  ['a fault of the service', 'InternalServerException', 500, 'api_error', 500],
  ['a service that is away', 'ServiceUnavailableException', 503, 'overloaded_error', 529],
  ['a conflict', 'ConflictException', 409, 'conflict_error', 409],
  ['something that is not there', 'ResourceNotFoundException', 404, 'not_found_error', 404],
])('%s is told by its name, whatever the status', (_name, type, status, kind, told) => {
  const body = { __type: `com.amazon.aws.codewhisperer#${type}`, message: 'Words.' }
  expect(failure(status, body)).toMatchObject({ kind, status: told, message: 'Words.' })
})

test('the name may stand in a header', () => {
  const headers = { 'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/coral/' }
  expect(failure(400, { message: 'Slow.' }, headers)).toMatchObject({
    kind: 'rate_limit_error',
    message: 'Slow.',
  })
})

test('a name that nobody knows leaves it to the status', () => {
  expect(failure(418, { __type: 'constructor', message: 'Tea.' })).toMatchObject({
    kind: 'invalid_request_error',
    message: 'Tea.',
  })
  expect(failure(503, 'upstream connect error')).toMatchObject({ kind: 'overloaded_error' })
})

test.each([
  [{ __type: 'ValidationException', message: 'Input is too long.' }],
  [
    {
      __type: 'ValidationException',
      message: 'Input content length exceeds threshold',
      reason: 'CONTENT_LENGTH_EXCEEDS_THRESHOLD',
    },
  ],
])('a context overflow has words that clients understand', (body) => {
  expect(failure(400, body)).toMatchObject({
    kind: 'invalid_request_error',
    message: expect.stringMatching(/^prompt is too long/),
    overflow: {},
  })
})

test('a model without capacity is overloaded, and not a limit of the caller', () => {
  const body = { __type: 'ThrottlingException', message: 'Busy.', reason: 'INSUFFICIENT_MODEL_CAPACITY' }
  expect(failure(429, body)).toMatchObject({ kind: 'overloaded_error', status: 529 })
})

test('the limit of a month is not tried again', () => {
  const body = { __type: 'ThrottlingException', message: 'Limit reached.', reason: 'MONTHLY_REQUEST_COUNT' }
  expect(failure(429, body)).toMatchObject({ kind: 'billing_error', shouldRetry: false })
})

test('the time to wait is kept', () => {
  expect(failure(429, { __type: 'ThrottlingException' }, { 'retry-after': '7' })).toMatchObject({
    retryAfter: 7,
  })
})
