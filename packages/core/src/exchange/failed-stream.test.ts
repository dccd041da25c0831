import { expect, test } from 'vitest'
import { plainCall } from '../dialects/plain-call.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { HubError } from '../hub/error.ts'
import { failsInStream } from './failed-stream.ts'

const OVERFLOW = new HubError('invalid_request_error', 'it is full', { overflow: { tokens: 9, limit: 8 } })

test.each([
  ['codex_exec/0.169.0 (Linux; x86_64)', true],
  ['Codex Desktop/0.169.0 (Mac OS)', true],
  ['copilot/1.0.102 (client/github/cli linux)', false],
  ['OpenAI/JS 6.1.0', false],
])('an overflow of %s is told inside of the stream: %s; other errors are HTTP answers', (agent, expected) => {
  const { reply } = openaiResponses.client.decodeRequest(
    plainCall({ model: 'm', input: 'Hi', stream: true }, { headers: { 'user-agent': agent } }),
  )
  expect(failsInStream(OVERFLOW, reply)).toBe(expected)
  expect(failsInStream(new HubError('invalid_request_error', 'no such field'), reply)).toBe(false)
})
