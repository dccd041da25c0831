import { expect, test } from 'vitest'
import type { Route } from '../route/route.ts'
import { listModels } from './models.ts'

const ROUTES: readonly Route[] = [
  { name: 'a', upstream: 'u', match: { models: ['claude-*', 'gpt-5'] }, model: 'real' },
  { name: 'b', upstream: 'u', models: { 'opus-*': 'big', haiku: 'small' }, spoof: 'fake', model: 'real' },
]
const ANTHROPIC = { 'anthropic-version': '2023-06-01' }

test('the names that the routes say, without patterns and repetitions', () => {
  expect(listModels({ upstreams: {}, routes: ROUTES }, {})).toEqual({
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
  expect(listModels({ upstreams: {}, routes: [], models: ['m'] }, { 'x-api-key': 'k' })).toEqual({
    data: [{ type: 'model', id: 'm', display_name: 'm', created_at: '1970-01-01T00:00:00Z' }],
    has_more: false,
    first_id: 'm',
    last_id: 'm',
  })
  expect(listModels({ upstreams: {}, routes: [] }, ANTHROPIC)).toMatchObject({
    data: [],
    first_id: null,
    last_id: null,
  })
})
