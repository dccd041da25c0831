import { expect, test } from 'vitest'
import type { Route } from '../route/route.ts'
import { listModels } from './models.ts'

const ROUTES: readonly Route[] = [
  { name: 'a', upstream: 'u', match: { models: ['claude-*', 'gpt-5'] }, model: 'real' },
  { name: 'b', upstream: 'u', models: { 'opus-*': 'big', haiku: 'small' }, spoof: 'fake', model: 'real' },
]
const BEARER = { authorization: 'Bearer k' }
const VERSION = { 'anthropic-version': '2023-06-01' }
const KEY = { 'x-api-key': 'k' }
const SDK = { 'user-agent': 'OpenAI/JS 6.1.0' }

test('the names that the routes say, without patterns and repetitions', () => {
  expect(listModels({ upstreams: {}, routes: ROUTES }, BEARER)).toEqual({
    object: 'list',
    data: ['gpt-5', 'real', 'haiku', 'fake'].map((id) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: 'hydra',
    })),
  })
})

test('Anthropic’s form for its clients, also for no models at all', () => {
  expect(listModels({ upstreams: {}, routes: [], models: ['m'] }, KEY)).toEqual({
    data: [{ type: 'model', id: 'm', display_name: 'm', created_at: '1970-01-01T00:00:00Z' }],
    has_more: false,
    first_id: 'm',
    last_id: 'm',
  })
  expect(listModels({ upstreams: {}, routes: [] }, VERSION)).toMatchObject({
    data: [],
    first_id: null,
    last_id: null,
  })
})

test.each<[string, object, 'OpenAI' | 'Anthropic']>([
  ['nothing', {}, 'Anthropic'],
  ['another user agent', { 'user-agent': 'curl/8.5.0' }, 'Anthropic'],
  ['a bearer token', BEARER, 'OpenAI'],
  ['a bearer token beside a version, as Claude Code', { ...BEARER, ...VERSION }, 'Anthropic'],
  ['a bearer token beside Anthropic’s key', { ...BEARER, ...KEY }, 'Anthropic'],
  ['another authorization', { authorization: 'Basic k' }, 'Anthropic'],
  ['OpenAI’s SDK for JavaScript', SDK, 'OpenAI'],
  ['OpenAI’s SDK for Python', { 'user-agent': 'AsyncOpenAI/Python 2.3.0' }, 'OpenAI'],
  ['OpenAI’s SDK beside a version', { ...SDK, ...VERSION }, 'Anthropic'],
])('a client that sends %s', (_name, headers, form) => {
  const list = listModels({ upstreams: {}, routes: [] }, { ...headers })
  expect('object' in list).toBe(form === 'OpenAI')
})
