import { HubError } from '@hydra/core'
import { expect, test } from 'vitest'
import { Secret } from '../secret.ts'
import { connectionError, isRetryable, withoutKey } from './failure.ts'

function coded(code: string): Error {
  return Object.assign(new Error('words with a key in them'), { code })
}

test.each([
  [coded('ECONNREFUSED'), 'the connection was refused: is it running?'],
  [coded('ENOTFOUND'), 'its host name was not found'],
  [coded('EAI_AGAIN'), 'its host name was not found'],
  [coded('UND_ERR_CONNECT_TIMEOUT'), 'it could not be reached in time'],
  [coded('ETIMEDOUT'), 'it could not be reached in time'],
  [coded('ECONNRESET'), 'the connection broke (ECONNRESET)'],
  [coded('UND_ERR_SOCKET'), 'the connection broke (UND_ERR_SOCKET)'],
  [
    new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }),
    'the connection was refused: is it running?',
  ],
  [coded('HPE_INVALID_CHUNK_SIZE'), 'what it sent is not HTTP'],
  [Object.assign(new Error('Invalid'), { name: 'HTTPParserError' }), 'what it sent is not HTTP'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
  [coded('UND_ERR_DESTROYED'), 'the connection failed (UND_ERR_DESTROYED)'],
  [coded('a secret'), 'the connection failed'],
  [new Error('a secret'), 'the connection failed'],
  ['a secret', 'the connection failed'],
  [undefined, 'the connection failed'],
])('a call that failed is told without the words of its error: %s', (thrown, reason) => {
  const error = connectionError(thrown, 'up')
  expect(error).toMatchObject({ kind: 'api_error', status: 502, message: `upstream up: ${reason}` })
  expect(isRetryable(error)).toBe(true)
})

test('an error of ours stays as it is', () => {
  const error = new HubError('timeout_error', 'late')
  expect(connectionError(error, 'up')).toBe(error)
})

test('what may be tried again', () => {
  for (const status of [408, 409, 429, 500, 502, 503, 504, 529]) {
    expect(isRetryable(new HubError('api_error', '', { status }))).toBe(true)
  }
  for (const status of [400, 401, 403, 404, 413, 415, 422, 501]) {
    expect(isRetryable(new HubError('api_error', '', { status }))).toBe(false)
  }
  expect(isRetryable(new HubError('api_error', '', { shouldRetry: false }))).toBe(false)
  expect(isRetryable(new HubError('invalid_request_error', '', { shouldRetry: true }))).toBe(true)
})

test('a key is taken out of an error’s words, and nothing else changes', () => {
  const details = { status: 418, retryAfter: 3, shouldRetry: false, path: 'a' }
  const error = withoutKey(new HubError('api_error', 'no 12345678!', details), new Secret('12345678'))
  expect(error).toMatchObject({ kind: 'api_error', message: 'no [redacted]!', ...details })
  const other = new HubError('api_error', 'no')
  expect(withoutKey(other, new Secret('12345678'))).toBe(other)
  expect(withoutKey(other, undefined)).toBe(other)
})
