import type { HubRequest, HubToolResult } from '@hydra/core'
import { expect, test } from 'vitest'
import { matchesPattern } from '@hydra/core'
import { pickRoute, type Route, type RouteMatch, targetsOf } from './route.ts'

const REQUEST: HubRequest = { model: 'claude-x', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }

function isMatch(match: RouteMatch, request: Partial<HubRequest> = {}, headers = {}): boolean {
  const routes: Route[] = [
    { name: 'wanted', upstream: 'a', match },
    { name: 'other', upstream: 'b' },
  ]
  return pickRoute(routes, { request: { ...REQUEST, ...request }, headers, bytes: 500 }).name === 'wanted'
}

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['claude-*', 'claude-opus', true],
  ['claude-*', 'my-claude-opus', false],
  ['*-mini', 'gpt-5-mini', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'acb', false],
  ['a*a', 'a', false],
  ['*b*b*', 'ab', false],
  ['gpt.5', 'gptx5', false],
])('the pattern %s and the name %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected)
})

test('the first route that matches is taken, and none is an error that names the model', () => {
  const routes = [
    { name: 'one', upstream: 'a', match: { models: ['gpt-*'] } },
    { name: 'two', upstream: 'b', match: { models: ['claude-*'] } },
    { name: 'three', upstream: 'c', match: { models: ['*'] } },
  ]
  expect(pickRoute(routes, { request: REQUEST, headers: {}, bytes: 1 }).name).toBe('two')
  expect(() => pickRoute([], { request: REQUEST, headers: {}, bytes: 1 })).toThrow("no route for 'claude-x'")
})

test('headers match by name in any case, and by value if one is given', () => {
  expect(isMatch({ header: { name: 'X-Team' } }, {}, { 'x-team': 'a' })).toBe(true)
  expect(isMatch({ header: { name: 'x-team', value: 'a' } }, {}, { 'x-team': 'b' })).toBe(false)
  expect(isMatch({ header: { name: 'x-team' } })).toBe(false)
})

test('sizes, tools and images', () => {
  expect(isMatch({ minBytes: 500, maxBytes: 500 })).toBe(true)
  expect(isMatch({ minBytes: 501 })).toBe(false)
  expect(isMatch({ maxBytes: 499 })).toBe(false)
  expect(isMatch({ hasTools: false })).toBe(true)
  expect(isMatch({ hasTools: true }, { tools: [{ name: 't', input_schema: { type: 'object' } }] })).toBe(true)
  const image = { type: 'image', source: { type: 'url', url: 'https://x' } } as const
  expect(isMatch({ hasImages: true }, { messages: [{ role: 'user', content: [image] }] })).toBe(true)
  const result: HubToolResult = { type: 'tool_result', tool_use_id: 't', content: [image] }
  expect(isMatch({ hasImages: true }, { messages: [{ role: 'user', content: [result] }] })).toBe(true)
  expect(isMatch({ hasImages: false })).toBe(true)
})

test('every condition that is given must hold, and one that is undefined is none', () => {
  expect(isMatch({ models: ['claude-*'], hasTools: true })).toBe(false)
  expect(isMatch({ models: ['claude-*'], header: undefined })).toBe(true)
})

test('a marker counts for an agent that nobody has started', () => {
  const marked = { system: 'You are hydra:lead of the team.' }
  expect(isMatch({ marker: 'hydra:lead' }, marked)).toBe(true)
  expect(isMatch({ marker: 'hydra:lead' }, marked, { 'x-claude-code-agent-id': 'a1' })).toBe(false)
})

test('the model of a target: its own, else that of the table, else what was asked for', () => {
  const route: Route = {
    name: 'r',
    upstream: 'a',
    models: { 'claude-opus-*': 'big', 'claude-*': 'small' },
    fallbacks: [{ upstream: 'b' }, { upstream: 'c', model: 'own' }],
  }
  expect(targetsOf(route, 'claude-opus-5')).toEqual([
    { upstream: 'a', model: 'big' },
    { upstream: 'b', model: 'big' },
    { upstream: 'c', model: 'own' },
  ])
  expect(targetsOf(route, 'claude-haiku')[0]?.model).toBe('small')
  expect(targetsOf(route, 'gpt')[0]?.model).toBe('gpt')
  expect(targetsOf({ ...route, model: 'fixed' }, 'gpt')[0]?.model).toBe('fixed')
})
