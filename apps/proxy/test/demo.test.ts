import Anthropic from '@anthropic-ai/sdk'
import { beforeAll, expect, test } from 'vitest'
import { closing } from './closing.ts'
import { type Hydra, startHydra } from './hydra.ts'

const opened = closing()
let hydra: Hydra
let client: Anthropic

beforeAll(async () => {
  hydra = await opened(startHydra())
  client = new Anthropic({ baseURL: hydra.url, apiKey: 'any', maxRetries: 0 })
})

const BASH = {
  name: 'Bash',
  input_schema: {
    type: 'object' as const,
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
}

test('the banner says that it is a demo, and how to get a real model', () => {
  expect(hydra.output()).toMatch(/^hydra listens on http:\/\/127\.0\.0\.1:[1-9]\d*\n/)
  expect(hydra.output()).toContain('the built-in demo model answers. It is a script.')
  expect(hydra.output()).toContain('OPENAI_API_KEY=… hydra serve --model gpt-5.1')
  expect(hydra.output()).toContain(`ANTHROPIC_BASE_URL=${hydra.url} ANTHROPIC_AUTH_TOKEN=any claude`)
})

test('it answers under the name that was asked for', async () => {
  const message = await client.messages.create({
    model: 'claude-sonnet-5',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(message.model).toBe('claude-sonnet-5')
  expect(message.content[0]).toMatchObject({
    type: 'text',
    text: expect.stringContaining('demo model') as string,
  })
})

test('it streams, calls a tool and says what came back', async () => {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'List the files' }]
  const request = { model: 'claude-x', max_tokens: 100, messages, tools: [BASH] }
  const first = await client.messages.stream(request).finalMessage()
  expect(first.stop_reason).toBe('tool_use')
  const call = first.content.find((block) => block.type === 'tool_use')
  expect(call).toMatchObject({ name: 'Bash', input: { command: 'ls' } })
  messages.push({ role: 'assistant', content: first.content })
  messages.push({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: call?.id ?? '', content: 'dragon.txt' }],
  })
  const pieces: string[] = []
  const last = client.messages.stream(request).on('text', (text) => pieces.push(text))
  expect(await last.finalText()).toContain('dragon.txt')
  expect(pieces.length).toBeGreaterThan(1)
})

test('each exchange is one line', async () => {
  expect(hydra.output()).toMatch(
    /\n\d\d:\d\d:\d\d {2}Anthropic\/JS {2}claude-x → demo demo \(demo\) {2}200 {2}first .*1 call\n/,
  )
})
