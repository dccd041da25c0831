import { expect, test } from 'vitest'
import { addressOf, withQuery } from './address.ts'

test.each([
  ['/chat/completions', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1/chat/completions'],
  ['/chat/completions', 'http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434/v1/chat/completions'],
  ['/chat/completions', 'https://x.test/chat/completions', 'https://x.test/chat/completions'],
  ['/chat/completions', 'https://x.test', 'https://x.test/chat/completions'],
  [
    '/chat/completions',
    'https://x.test/d/m?api-version=1',
    'https://x.test/d/m/chat/completions?api-version=1',
  ],
  ['', 'https://x.test', 'https://x.test/'],
  ['', 'https://x.test/generateAssistantResponse', 'https://x.test/generateAssistantResponse'],
])('%s at %s', (path, url, address) => {
  expect(addressOf({ url }, { path, query: '' })).toBe(address)
})

test.each([
  ['https://api.anthropic.com', 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1', 'https://api.anthropic.com/v1/messages'],
  ['https://x.test/anthropic/', 'https://x.test/anthropic/v1/messages'],
  ['https://x.test/v2/anthropic', 'https://x.test/v2/anthropic/v1/messages'],
  ['https://x.test/v1/messages', 'https://x.test/v1/messages'],
])('a base URL may leave the version out: %s', (url, address) => {
  expect(addressOf({ url }, { path: '/messages', query: '' }, { baseVersion: '/v1' })).toBe(address)
})

test('a query is added to the address’s own', () => {
  expect(withQuery('http://x/a', '')).toBe('http://x/a')
  expect(withQuery('http://x/a', 'b=1')).toBe('http://x/a?b=1')
  expect(withQuery('http://x/a?v=1', 'b=1')).toBe('http://x/a?v=1&b=1')
  const upstream = { url: 'https://x.test/v1?api-version=2' }
  expect(addressOf(upstream, { path: '/p', query: 'alt=sse' })).toBe(
    'https://x.test/v1/p?api-version=2&alt=sse',
  )
})
