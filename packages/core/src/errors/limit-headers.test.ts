import { expect, test } from 'vitest'
import { registry } from '../dialects/registry.ts'

const level = (resetsIn: number) => ({
  limit: 60,
  remaining: 12,
  resetsIn,
  resetsAt: '2026-11-18T12:00:00.000Z',
})

test('each dialect has its own headers for how far a client is from its limits', () => {
  const limits = { requests: level(500), tokens: level(90_001) }
  const headers = registry.clients.map(({ name, client }) => [name, client.limitHeaders?.(limits)])
  const openai = {
    'x-ratelimit-limit-requests': '60',
    'x-ratelimit-remaining-requests': '12',
    'x-ratelimit-reset-requests': '500ms',
    'x-ratelimit-limit-tokens': '60',
    'x-ratelimit-remaining-tokens': '12',
    'x-ratelimit-reset-tokens': '1m31s',
  }
  expect(Object.fromEntries(headers)).toMatchObject({
    anthropic: {
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-requests-reset': '2026-11-18T12:00:00.000Z',
      'anthropic-ratelimit-tokens-limit': '60',
    },
    'openai-chat': openai,
    'openai-responses': openai,
  })
})

test('a limit that is not set has no header', () => {
  for (const { client } of registry.clients) {
    const headers = client.limitHeaders?.({ tokens: level(5000) }) ?? {}
    expect(Object.keys(headers).filter((name) => name.includes('requests'))).toEqual([])
  }
})
