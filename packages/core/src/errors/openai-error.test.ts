import { expect, test } from 'vitest'
import { decodeError, decodeErrorPayload, isErrorPayload } from './openai-error.ts'

test.each([
  ["AWS's", { Message: 'the words' }],
  ["AWS's functions", { errorMessage: 'the words', errorType: 'Sandbox.Timedout' }],
  ['Baidu', { error_code: 336_003, error_msg: 'the words' }],
  ['Apigee', { fault: { faultstring: 'the words', detail: { errorcode: 'oauth.v2.InvalidApiKey' } } }],
])('the words of the gateway of %s are told', (_name, body) => {
  const failure = { status: 403, headers: {}, body: JSON.stringify(body) }
  expect(decodeError(failure)).toMatchObject({ kind: 'permission_error', message: 'the words' })
})

test('an answer of no success is an error in its words, whatever its status', () => {
  const body = { code: 500, msg: '404 NOT_FOUND', success: false }
  expect(isErrorPayload(body)).toBe(true)
  expect(decodeErrorPayload(body, 200)).toMatchObject({ kind: 'api_error', message: '404 NOT_FOUND' })
  expect(isErrorPayload({ code: 0, msg: 'ok', success: true })).toBe(false)
  expect(isErrorPayload({ msg: 'ok', choices: [{ index: 0, delta: {} }] })).toBe(false)
})

test('why Groq stopped an answer is an error, though it stands in an ordinary chunk', () => {
  const chunk = { choices: [{ index: 0, delta: {} }], x_groq: { id: 'req', error: 'over capacity' } }
  expect(isErrorPayload(chunk)).toBe(true)
  expect(decodeErrorPayload(chunk).message).toBe('over capacity')
  expect(isErrorPayload({ ...chunk, x_groq: { id: 'req', usage: {} } })).toBe(false)
})

test.each([
  [{ type: 'authorized_error', message: 'm', http_code: '401' }, 'authentication_error'],
  [{ type: 'too_many_requests_error', message: 'm', code: 'queue_exceeded' }, 'rate_limit_error'],
  [{ type: 'data_inspection_failed', message: 'm', code: 'data_inspection_failed' }, 'invalid_request_error'],
  [{ code: '1301', message: 'm' }, 'invalid_request_error'],
  [{ code: '1302', message: 'm' }, 'rate_limit_error'],
  [{ code: '1305', message: 'm' }, 'overloaded_error'],
])('without an HTTP status %o is a %s', (error, kind) => {
  expect(decodeErrorPayload({ error })).toMatchObject({ kind, message: 'm' })
})

test.each([
  [1026, 'invalid_request_error'],
  [1027, 'invalid_request_error'],
  [1041, 'rate_limit_error'],
  [2049, 'authentication_error'],
  [2056, 'rate_limit_error'],
])("MiniMax's %i is a %s", (code, kind) => {
  const payload = { choices: [], base_resp: { status_code: code, status_msg: 'm' } }
  expect(decodeErrorPayload(payload)).toMatchObject({ kind, message: 'm' })
})
