import { expect, test } from 'vitest'
import { type ErrorKind, HubError, type HubErrorDetails, invalidRequest } from '../../hub/error.ts'
import { encodeError } from './encode-error.ts'

function told(error: HubError): { status: number; headers: object; error: Record<string, unknown> } {
  const { status, headers, body } = encodeError(error, 'req_1')
  return { status, headers, ...(JSON.parse(body) as { error: Record<string, unknown> }) }
}

test.each<[ErrorKind, HubErrorDetails, number, string, string | null, string | undefined]>([
  ['invalid_request_error', {}, 400, 'invalid_request_error', null, undefined],
  ['authentication_error', {}, 401, 'invalid_request_error', 'invalid_api_key', 'false'],
  ['billing_error', {}, 402, 'insufficient_quota', 'insufficient_quota', 'false'],
  ['permission_error', {}, 403, 'invalid_request_error', 'permission_denied', 'false'],
  ['not_found_error', {}, 404, 'invalid_request_error', 'not_found', undefined],
  ['conflict_error', {}, 409, 'invalid_request_error', 'conflict', undefined],
  ['request_too_large', {}, 413, 'invalid_request_error', 'request_too_large', undefined],
  ['rate_limit_error', {}, 429, 'rate_limit_error', 'rate_limit_exceeded', undefined],
  ['rate_limit_error', { shouldRetry: false }, 429, 'rate_limit_error', 'rate_limit_exceeded', 'false'],
  ['api_error', {}, 500, 'server_error', 'server_error', undefined],
  ['api_error', { status: 502 }, 502, 'server_error', 'server_error', undefined],
  ['timeout_error', {}, 504, 'server_error', 'timeout', undefined],
  ['overloaded_error', {}, 503, 'service_unavailable_error', 'server_is_overloaded', undefined],
  ['overloaded_error', { status: 500 }, 500, 'service_unavailable_error', 'server_is_overloaded', undefined],
])('K45: %s %j is %i %s, code %s, x-should-retry %s', (kind, details, status, type, code, retry) => {
  const answer = told(new HubError(kind, 'it failed', details))
  expect(answer.status).toBe(status)
  expect(answer.error).toEqual({ message: 'it failed', type, param: null, code })
  expect(answer.headers).toEqual({
    'content-type': 'application/json',
    'x-request-id': 'req_1',
    ...(retry !== undefined && { 'x-should-retry': retry }),
  })
})

function wait(retryAfter: number): object {
  return told(new HubError('rate_limit_error', 'busy', { retryAfter })).headers
}

test('K45: a wait is told in whole seconds, at least one', () => {
  expect([wait(0), wait(2.1)]).toMatchObject([{ 'retry-after': '1' }, { 'retry-after': '3' }])
})

test('K45: a model that is not there has the code for it', () => {
  expect(told(new HubError('not_found_error', 'there is no model x')).error['code']).toBe('model_not_found')
})

test('K30: the place of a fault is its param', () => {
  expect(told(invalidRequest('messages[1].role', 'expected a role')).error).toMatchObject({
    param: 'messages[1].role',
    message: 'messages[1].role: expected a role',
  })
})

test.each([
  [
    { tokens: 210_000, limit: 200_000 },
    "This model's maximum context length is 200000 tokens. However, your messages resulted in 210000 tokens. Please reduce the length of the messages.",
  ],
  [
    { tokens: 180_000, output: 32_000, limit: 200_000 },
    "This model's maximum context length is 200000 tokens. However, you requested 212000 tokens (180000 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
  ],
  [{}, 'prompt is too long: no idea how much'],
  [{ tokens: 1, limit: 8192 }, 'prompt is too long: no idea how much'],
])('K46: an overflow has its code and the words that agents know: %o', (overflow, expected) => {
  const message = 'prompt is too long: no idea how much'
  const { status, error } = told(new HubError('invalid_request_error', message, { overflow }))
  expect(status).toBe(400)
  expect(error).toEqual({
    message: expected,
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  })
})
