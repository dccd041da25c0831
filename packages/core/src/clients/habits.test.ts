import { expect, test } from 'vitest'
import { streamFormFor, wantsBreak } from './habits.ts'

test.each([
  [undefined, false],
  ['google-genai-sdk/2.21.0 gl-node/v24.21.0', true],
  ['QwenCode/0.24.4 (linux; x64)', true],
  ['GeminiCLI/0.61.0/gemini-3.1-pro-preview (linux; x64; terminal)', false],
  ['GeminiCLI-vscode/0.61.0/gemini-3.1-pro-preview (linux; x64)', false],
])('a failed answer to %s breaks its connection too: %s', (agent, expected) => {
  expect(wantsBreak(agent === undefined ? {} : { 'user-agent': agent })).toBe(expected)
})

test('Qwen Code is not told of a break, others are', () => {
  const form = { contentType: 'text/event-stream', keepAlive: undefined }
  expect(streamFormFor(form, { 'user-agent': 'QwenCode/0.24.4 (linux; x64)' }).failsWithoutError).toBe(true)
  expect(streamFormFor(form, { 'user-agent': 'OpenAI/JS 6.1.0' })).toBe(form)
  expect(streamFormFor(form, {})).toBe(form)
})
