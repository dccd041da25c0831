import type { HubBlock, HubMessage } from '@hydra/core'
import { expect, test } from 'vitest'
import { countTokens } from './count-tokens.ts'

const EMPTY = countTokens({ messages: [{ role: 'user', content: '' }] })

function tokensOf(...blocks: readonly unknown[]): number {
  return countTokens({ messages: [{ role: 'user', content: blocks as HubBlock[] }] }) - EMPTY
}

test('a text counts the same as a string and as a block', () => {
  expect(tokensOf({ type: 'text', text: 'hello world' })).toBe(2)
  expect(countTokens({ messages: [{ role: 'user', content: 'hello world' }] }) - EMPTY).toBe(2)
})

test('every message costs something, also an empty one', () => {
  const system: HubMessage = { role: 'system' }
  expect(countTokens({ messages: [system, system] })).toBe(2 * EMPTY)
})

test('the system prompt counts as a string and as blocks', () => {
  const messages: HubMessage[] = [{ role: 'user', content: '' }]
  expect(countTokens({ messages, system: 'hello world' }) - EMPTY).toBe(2)
  expect(countTokens({ messages, system: [{ type: 'text', text: 'hello world' }] }) - EMPTY).toBe(2)
})

test('name, description and schema of a tool count', () => {
  const messages: HubMessage[] = [{ role: 'user', content: '' }]
  const bare = { name: 'read', input_schema: { type: 'object' as const } }
  const small = countTokens({ messages, tools: [bare] })
  const described = countTokens({ messages, tools: [{ ...bare, description: 'hello world' }] })
  const server = countTokens({ messages, tools: [{ type: 'web_search_20250305', name: 'web_search' }] })
  expect(described - small).toBe(2)
  expect(small).toBeGreaterThan(EMPTY + 8)
  expect(server).toBeGreaterThan(EMPTY + 8)
})

test('thinking counts by its text and hidden thinking by its size', () => {
  expect(tokensOf({ type: 'thinking', thinking: 'hello world', signature: 'x'.repeat(5000) })).toBe(2)
  expect(tokensOf({ type: 'redacted_thinking', data: 'x'.repeat(500) })).toBe(100)
})

test('a call counts its name and its input, with or without one', () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read' }
  expect(tokensOf({ ...call, input: { path: 'hello world' } })).toBeGreaterThan(tokensOf(call))
  expect(tokensOf(call)).toBe(9)
})

test('a result counts its text and the blocks in it', () => {
  const result = { type: 'tool_result', tool_use_id: 'toolu_1' }
  expect(tokensOf(result)).toBe(8)
  expect(tokensOf({ ...result, content: 'hello world' })).toBe(10)
  expect(tokensOf({ ...result, content: [{ type: 'text', text: 'hello world' }] })).toBe(10)
  expect(tokensOf({ ...result, content: [{ type: 'tool_reference', tool_name: 'read' }] })).toBe(9)
})

test('an image costs the same whatever its size', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'A'.repeat(1_000_000) }
  expect(tokensOf({ type: 'image', source })).toBe(1600)
  expect(tokensOf({ type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } })).toBe(1600)
})

test('a document counts its text, or its pages by its size', () => {
  const text = { type: 'text', media_type: 'text/plain', data: 'hello world' }
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'A'.repeat(130_000) }
  expect(tokensOf({ type: 'document', title: 'hello', source: text })).toBe(3)
  expect(
    tokensOf({ type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'hello' }] } }),
  ).toBe(1)
  expect(tokensOf({ type: 'document', source: pdf })).toBe(4000)
  expect(tokensOf({ type: 'document', source: { type: 'file', file_id: 'f' } })).toBe(2000)
})

test('a search result counts its title, source and text', () => {
  const content = [{ type: 'text', text: 'hello world' }]
  expect(tokensOf({ type: 'search_result', title: 'hello', source: 'hello', content })).toBe(4)
})

test('a block nobody knows counts as its JSON', () => {
  expect(tokensOf({ type: 'hologram', data: 'hello' })).toBeGreaterThan(4)
})

test('a block that nests without end does not overflow', () => {
  let value: unknown = {}
  for (let level = 0; level < 100_000; level++) value = [value]
  expect(tokensOf({ type: 'hologram', value })).toBe(0)
})

test('a megabyte of history holds up nobody', () => {
  const text = 'The quick brown fox calls const value = await read("file.ts")\n'.repeat(160)
  const messages: HubMessage[] = Array.from({ length: 100 }, () => ({ role: 'user', content: text }))
  expect(countTokens({ messages })).toBeGreaterThan(100_000)
})
