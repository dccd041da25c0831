import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import { failsInStream } from './error.ts'

test('an overflow fails inside of the stream, where Codex looks for it; other errors are HTTP answers', () => {
  const overflow = new HubError('invalid_request_error', 'prompt is too long: 9 tokens > 8 maximum')
  expect(failsInStream(overflow)).toBe(true)
  expect(failsInStream(new HubError('invalid_request_error', 'no such field'))).toBe(false)
})
