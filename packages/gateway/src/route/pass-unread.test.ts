import { type DialectName, registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { passUnread, type Unread } from './pass-unread.ts'
import type { Route, RouteMatch } from './route.ts'

const USER = { role: 'user', content: 'Hi' }
const NEW_ROLE = { role: 'developer', content: 'Be brief.' }
const LEAD: Route = { name: 'lead', upstream: 'claude', match: { marker: 'hydra:lead' }, passthrough: true }
const REST: Route = { name: 'rest', upstream: 'other' }

function routeOf(routes: readonly Route[], fields: object, headers = {}): string | undefined {
  const value = { model: 'claude-x', messages: [USER], ...fields }
  return passUnread(routes, unread(value, headers))?.route.name
}

const mayPass = ({ passthrough }: Route): boolean => passthrough === true

/** A request in a client's dialect that its decoder refuses. */
function unread(body: unknown, headers = {}): Unread {
  const caller = { client: registry.client('anthropic') }
  return { caller, call: { body, headers, params: {} }, bytes: 500, mayPass }
}

function passing(match: RouteMatch): Route {
  return { name: 'pass', upstream: 'claude', match, passthrough: true }
}

test('a request of a new form goes where its model and its headers say', () => {
  const routes = [passing({ models: ['claude-*'], header: { name: 'x-own' }, minBytes: 500 }), REST]
  const fields = { messages: 'of a new form', system: 7, tools: 'none' }
  expect(routeOf(routes, fields, { 'x-own': '1' })).toBe('pass')
  expect(routeOf(routes, fields)).toBeUndefined()
  expect(routeOf(routes, { ...fields, model: 'gpt' }, { 'x-own': '1' })).toBeUndefined()
})

test('what is known of it is its model, and whether it asked for a stream', () => {
  const value = { model: 'claude-x', stream: true, messages: [NEW_ROLE] }
  const routes = [passing({ models: ['*'] })]
  expect(passUnread(routes, unread(value))?.request).toEqual({
    model: 'claude-x',
    stream: true,
    messages: [],
  })
})

test('budgets are told how long its answers may be, and how many', () => {
  const routes: readonly Route[] = [{ name: 'pass', upstream: 'chat', passthrough: true }]
  const asked = (dialect: DialectName, fields: object): unknown[] => {
    const body = { model: 'm', messages: 'new', ...fields }
    const caller = { client: registry.client(dialect) }
    const call = { body, headers: {}, params: { model: 'm' } }
    const passed = passUnread(routes, { caller, call, bytes: 500, mayPass })
    return [passed?.request.max_tokens, passed?.answers]
  }
  expect(asked('anthropic', { max_tokens: 9000 })).toEqual([9000, undefined])
  expect(asked('openai-chat', { max_tokens: 10, max_completion_tokens: 9000, n: 4 })).toEqual([9000, 4])
  expect(asked('openai-responses', { max_output_tokens: '9000' })).toEqual([9000, undefined])
  const config = { maxOutputTokens: 9000, candidateCount: 4 }
  expect(asked('gemini', { generationConfig: config })).toEqual([9000, 4])
  expect(asked('gemini', { generation_config: { max_output_tokens: 9000 } })).toEqual([9000, undefined])
  expect(asked('openai-chat', { max_tokens: -1, n: {} })).toEqual([undefined, undefined])
})

test.each<[string, object]>([
  ['in the system prompt', { system: 'hydra:lead', messages: [NEW_ROLE, USER] }],
  ['in a block of it', { system: [{ type: 'text', text: 'hydra:lead' }], messages: [NEW_ROLE] }],
  ['in the first message', { messages: [{ role: 'user', content: 'hydra:lead' }, NEW_ROLE] }],
  [
    'beside a block of a new form',
    { messages: [{ role: 'user', content: [{ type: 'hologram' }, { type: 'text', text: 'hydra:lead' }] }] },
  ],
])('a lead is known by its marker %s', (_place, fields) => {
  expect(routeOf([LEAD, REST], fields)).toBe('lead')
  expect(routeOf([LEAD, REST], fields, { 'x-claude-code-agent-id': 'a1' })).toBeUndefined()
})

test.each<[string, object]>([
  ['nowhere', { messages: [NEW_ROLE] }],
  ['in a role that nobody knows', { messages: [{ role: 'tool', content: 'hydra:lead' }] }],
  ['after a role that nobody knows', { messages: [NEW_ROLE, { role: 'user', content: 'hydra:lead' }] }],
  ['after an answer', { messages: [{ role: 'assistant' }, { role: 'user', content: 'hydra:lead' }] }],
  [
    'in a tool result',
    { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'hydra:lead' }] }, NEW_ROLE] },
  ],
  ['in a system prompt of a new form', { system: { text: 'hydra:lead' } }],
  ['in a block of another type', { system: [{ type: 'quote', text: 'hydra:lead' }] }],
])('a request with the marker %s does not pass', (_place, fields) => {
  expect(routeOf([LEAD, REST], fields)).toBeUndefined()
})

test.each<[string, RouteMatch, object]>([
  ['marker', { marker: 'local' }, { messages: [NEW_ROLE] }],
  ['tools', { hasTools: true }, { tools: { read: {} } }],
  ['images', { hasImages: true }, { messages: [{ role: 'user', content: { image: 1 } }] }],
])('nothing passes while an earlier route may be meant by its %s', (_what, match, fields) => {
  const local: Route = { name: 'local', upstream: 'other', match }
  const everything = passing({ models: ['*'] })
  expect(routeOf([local, everything], fields)).toBeUndefined()
  expect(routeOf([everything, local], fields)).toBe('pass')
  expect(routeOf([local, everything], { max_tokens: 'x' })).toBe('pass')
})

test('what is no request at all passes nowhere', () => {
  const everything: Route = { name: 'all', upstream: 'claude', passthrough: true }
  for (const value of [null, [], 'x', {}, { model: 7 }]) {
    expect(passUnread([everything], unread(value))).toBeUndefined()
  }
})
