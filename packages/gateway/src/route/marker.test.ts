import type { HubMessage, HubRequest, HubToolResult } from '@hydra/core'
import { expect, test } from 'vitest'
import { hasMarker } from './marker.ts'

function isMarked(messages: HubMessage[], system?: HubRequest['system']): boolean {
  const request = { model: 'm', max_tokens: 1, messages, ...(system !== undefined && { system }) }
  return hasMarker(request, 'hydra:lead')
}

const HI: HubMessage = { role: 'user', content: 'Hi' }

test.each([
  ['hydra:lead', true],
  ['You are the hydra:lead.', true],
  ['<hydra:lead>', true],
  ['(hydra:lead)\nhydra', true],
  ['hydra:leader', false],
  ['hydra:lead:x', false],
  ['hydra:lead-2', false],
  ['my-hydra:lead', false],
  ['xhydra:lead', false],
  ['Hydra:Lead', false],
  ['hydra lead', false],
])('only the whole word counts: %s', (text, expected) => {
  expect(isMarked([HI], text)).toBe(expected)
  expect(isMarked([{ role: 'user', content: text }])).toBe(expected)
  expect(isMarked([HI], [{ type: 'text', text }])).toBe(expected)
})

test('the first three messages of the user’s side count, not those after an answer', () => {
  const marked: HubMessage = { role: 'user', content: [{ type: 'text', text: 'hydra:lead' }] }
  const answer: HubMessage = { role: 'assistant', content: 'Yes?' }
  expect(isMarked([HI, HI, marked])).toBe(true)
  expect(isMarked([HI, HI, HI, marked])).toBe(false)
  expect(isMarked([HI, answer, marked])).toBe(false)
  expect(isMarked([{ role: 'assistant', content: 'hydra:lead' }])).toBe(false)
})

test('a marker in a tool result is only quoted', () => {
  const result = { type: 'tool_result', tool_use_id: 't', content: 'hydra:lead' } as const
  expect(isMarked([{ role: 'user', content: [result] }])).toBe(false)
  const nested: HubToolResult = { ...result, content: [{ type: 'text', text: 'hydra:lead' }] }
  expect(isMarked([{ role: 'user', content: [nested] }])).toBe(false)
})

test('a marker is no pattern', () => {
  const request = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'aab' } as const] }
  expect(hasMarker(request, 'a+b')).toBe(false)
})
