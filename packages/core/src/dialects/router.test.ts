import { expect, test } from 'vitest'
import type { ClientDialect } from './dialect.ts'
import { registry } from './registry.ts'
import { Router } from './router.ts'

const anthropic = registry.client('anthropic')

function dialect(name: string, client: Partial<ClientDialect>): { name: string; client: ClientDialect } {
  return { name, client: { ...anthropic, recognises: () => false, ...client } }
}

const ROUTER = new Router({
  clients: [
    dialect('first', {
      endpoints: [
        { method: 'POST', path: '/v1/say', purpose: 'generate' },
        {
          method: 'GET',
          path: '/v1/models',
          purpose: 'models',
          when: (headers) => headers['x-first'] === '1',
        },
      ],
    }),
    dialect('second', {
      endpoints: [
        { method: 'GET', path: '/v1/models', purpose: 'models' },
        { method: 'POST', path: '/v1/models/{model}:say', purpose: 'generate' },
        { method: 'POST', path: '/v1/models/{model}:count', purpose: 'count' },
        { method: 'GET', path: '/v1/things/{id}/parts', purpose: 'own', answer: () => ({}) },
      ],
      recognises: ({ path }) => path.startsWith('/v1/things'),
    }),
  ],
})

function found(method: string, path: string, headers = {}): unknown[] {
  const { dialect: name, endpoint, params } = ROUTER.find({ method, path, headers })
  return [name, endpoint?.purpose, params]
}

test('a path belongs to the dialect that has it', () => {
  expect(found('POST', '/v1/say')).toEqual(['first', 'generate', {}])
  expect(found('GET', '/v1/say')).toEqual(['first', undefined, {}])
})

test('a path that several have belongs to the one whose client asks', () => {
  expect(found('GET', '/v1/models', { 'x-first': '1' })).toEqual(['first', 'models', {}])
  expect(found('GET', '/v1/models')).toEqual(['second', 'models', {}])
})

test('a dialect that recognises its clients is asked before those that take any, in whatever order they are listed', () => {
  const anybody = dialect('anybody', {
    endpoints: [{ method: 'GET', path: '/v1/models', purpose: 'models' }],
  })
  const known = dialect('known', {
    endpoints: [
      { method: 'GET', path: '/v1/models', purpose: 'models', when: (headers) => 'x-known' in headers },
    ],
  })
  const router = new Router({ clients: [anybody, known] })
  const call = { method: 'GET', path: '/v1/models' }
  expect(router.find({ ...call, headers: { 'x-known': '1' } }).dialect).toBe('known')
  expect(router.find({ ...call, headers: {} }).dialect).toBe('anybody')
})

test('what stands in the place of a name is taken from the path, decoded', () => {
  expect(found('POST', '/v1/models/some%2Fmodel:v1:say')).toEqual([
    'second',
    'generate',
    { model: 'some/model:v1' },
  ])
  expect(found('POST', '/v1/models/m:count')).toEqual(['second', 'count', { model: 'm' }])
  expect(found('GET', '/v1/things/%/parts')).toEqual(['second', 'own', { id: '%' }])
  expect(found('GET', '/v1/things/a/b/parts')).toEqual(['second', undefined, {}])
})

test('where only the method is unknown, the path says who calls, also to those who would take anybody', () => {
  const greedy = dialect('greedy', { endpoints: [], recognises: () => true })
  const owner = dialect('owner', {
    endpoints: [{ method: 'POST', path: '/v1/{kind}/say', purpose: 'generate' }],
  })
  const router = new Router({ clients: [greedy, owner] })
  expect(router.find({ method: 'GET', path: '/v1/words/say', headers: {} }).dialect).toBe('owner')
  expect(router.find({ method: 'GET', path: '/v1/words/other', headers: {} }).dialect).toBe('greedy')
})

test('somebody who calls for nothing that we have is recognised, else taken for the first', () => {
  expect(found('PUT', '/v1/things/1')).toEqual(['second', undefined, {}])
  expect(found('GET', '/nothing')).toEqual(['first', undefined, {}])
})
