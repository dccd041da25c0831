import { expect, test } from 'vitest'
import { addressOf, withQuery } from './address.ts'

test.each([
  ['openai-chat', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
  ['openai-chat', 'http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434/v1/chat/completions'],
  ['openai-chat', 'https://x.test/chat/completions', 'https://x.test/chat/completions'],
  ['openai-chat', 'https://x.test', 'https://x.test/chat/completions'],
  ['openai-chat', 'https://x.test/d/m?api-version=1', 'https://x.test/d/m/chat/completions?api-version=1'],
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
  ['anthropic', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages'],
  ['anthropic', 'https://x.test/anthropic/', 'https://x.test/anthropic/v1/messages'],
  ['anthropic', 'https://x.test/v1/messages', 'https://x.test/v1/messages'],
  ['amazon-q', 'https://x.test', 'https://x.test/'],
  ['amazon-q', 'https://x.test/generateAssistantResponse', 'https://x.test/generateAssistantResponse'],
] as const)('%s at %s', (dialect, url, address) => {
  expect(addressOf({ dialect, url })).toBe(address)
})

test('a query is added to the address’s own', () => {
  expect(withQuery('http://x/a', '')).toBe('http://x/a')
  expect(withQuery('http://x/a', '?b=1')).toBe('http://x/a?b=1')
  expect(withQuery('http://x/a?v=1', '?b=1')).toBe('http://x/a?v=1&b=1')
  expect(withQuery('http://x/a?v=1', '')).toBe('http://x/a?v=1')
})
