import { expect, test } from 'vitest'
import { registry } from '../dialects/registry.ts'
import { isReadableError, refusedAnswer } from './refused-answer.ts'

const BY = { dialect: registry.upstream('openai-chat'), name: 'up' }
const GZIP = { 'content-encoding': 'gzip' }

test('an answer with a status of success and a body that can be read is not refused', () => {
  expect(refusedAnswer({ status: 200, headers: {}, body: '' }, BY)).toBeUndefined()
  expect(
    refusedAnswer({ status: 200, headers: { 'content-encoding': 'Identity' }, body: '' }, BY),
  ).toBeUndefined()
})

test('an error is told in the words of the upstream', () => {
  const body = '{"error":{"message":"no such model"}}'
  expect(refusedAnswer({ status: 404, headers: {}, body }, BY)).toMatchObject({
    kind: 'not_found_error',
    message: expect.stringContaining('no such model') as string,
  })
})

test.for([
  ['a redirect', 302, {}, 'upstream up: answered with status 302, which is not followed'],
  ['a packed body', 200, GZIP, 'upstream up: answered with content-encoding gzip, which was not asked for'],
] as const)('%s is refused', ([, status, headers, message]) => {
  expect(refusedAnswer({ status, headers, body: '' }, BY)).toMatchObject({
    status: 502,
    message,
    shouldRetry: false,
  })
})

test('only an error that is not packed has words to be read', () => {
  expect(isReadableError({ status: 500, headers: {} })).toBe(true)
  expect(isReadableError({ status: 500, headers: GZIP })).toBe(false)
  expect(isReadableError({ status: 200, headers: {} })).toBe(false)
})
