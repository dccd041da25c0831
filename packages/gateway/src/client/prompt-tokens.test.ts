import type { HubBlock } from '@hydra/core'
import { expect, test } from 'vitest'
import { promptTokens } from './prompt-tokens.ts'

const text = (length: number) => ({ type: 'text' as const, text: 'x'.repeat(length) })
const image = (length: number) => ({
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'A'.repeat(length) },
})
const pdf = (length: number) => ({
  type: 'document' as const,
  source: { type: 'base64' as const, media_type: 'application/pdf' as const, data: 'A'.repeat(length) },
})

function tokensOf(content: string | HubBlock[], length: number): number {
  return promptTokens({ messages: [{ role: 'user', content }] }, length)
}

test('text counts by its length', () => {
  expect(tokensOf('x'.repeat(4000), 4000)).toBe(1000)
  expect(tokensOf([text(4000)], 4000)).toBe(1000)
})

test('a screenshot does not count by its length, wherever it is', () => {
  expect(tokensOf([text(4000), image(400_000)], 404_000)).toBe(2600)
  const result = { type: 'tool_result' as const, tool_use_id: 't', content: [image(400_000), image(400_000)] }
  expect(tokensOf([result], 800_000)).toBe(3200)
})

test('a PDF counts by its pages, and a small image by its length', () => {
  expect(tokensOf([pdf(650_000)], 650_000)).toBe(20_000)
  expect(tokensOf([image(400)], 400)).toBe(100)
})

test('what a short request refers back to counts as well', () => {
  const result = { type: 'tool_result' as const, tool_use_id: 't', content: 'x'.repeat(4000) }
  expect(tokensOf([text(4000), result], 100)).toBe(2000)
})
