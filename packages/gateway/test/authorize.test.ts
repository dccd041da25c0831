import { afterEach, expect, test, vi } from 'vitest'
import { HubError, profiles } from '@hydra/core'
import { type Authorization, createGateway, type ExchangeReport } from '../src/index.ts'

const up = { dialect: 'openai-chat', url: 'http://127.0.0.1:9/v1', profile: profiles.generic } as const

afterEach(() => vi.restoreAllMocks())

interface Asked {
  readonly status: number
  readonly text: string
  readonly complaints: string
  readonly report: ExchangeReport | undefined
}

async function ask(authorize: () => unknown): Promise<Asked> {
  const written = vi.spyOn(console, 'error').mockReturnValue()
  let report: ExchangeReport | undefined
  const gateway = createGateway({
    upstreams: { up },
    authorize: authorize as () => Authorization,
    onExchange: (told) => {
      report = told
    },
  })
  const answer = await gateway.fetch(new Request('http://a/v1/models'))
  const text = await answer.text()
  return { status: answer.status, text, complaints: written.mock.calls.flat().map(String).join(' '), report }
}

test.each<[string, unknown, number]>([
  ['true lets in', true, 200],
  ['an identity lets in', { id: 'ada' }, 200],
  ['false refuses', false, 401],
  ['a HubError is the answer', new HubError('permission_error', 'not on Sundays'), 403],
])('%s', async (_what, answer, status) => {
  const asked = await ask(() => answer)
  expect(asked.status).toBe(status)
  expect(asked.complaints).toBe('')
})

test('a HubError that is thrown is the answer, with its words', async () => {
  const asked = await ask(() => Promise.reject(new HubError('permission_error', 'not on Sundays')))
  expect(asked).toMatchObject({ status: 403, text: expect.stringContaining('not on Sundays') as string })
})

test.each<[string, () => unknown]>([
  ['thrown', () => Promise.reject(new Error('db down: password=canary'))],
  ['thrown at once', () => raise('db down: password=canary')],
  ['returned', () => new Error('db down: password=canary')],
])('the words of an error that is %s are not for the client', async (_how, authorize) => {
  const asked = await ask(authorize)
  expect(asked.status).toBe(500)
  expect(asked.text).toContain('this server could not check who calls')
  expect(asked.text + JSON.stringify(asked.report)).not.toMatch(/canary|db down/)
  expect(asked.complaints).toContain('hydra: the authorize hook failed: Error: db down')
})

function raise(message: string): never {
  throw new Error(message)
}

// A lookup that finds nobody gives nothing.
test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a string', 'ada'],
  ['an object without an id', { name: 'ada' }],
  ['an object without an id', { id: 7 }],
])('%s is a mistake that lets nobody in', async (words, answer) => {
  const asked = await ask(() => answer)
  expect(asked.status).toBe(500)
  expect(asked.complaints).toContain(
    `expected true, false, a HubError or an identity with an id, got ${words}`,
  )
})

test.each<[string, object, string]>([
  [
    'a misspelt restriction',
    { model: ['cheap-*'] },
    "the identity: unknown key 'model'; did you mean 'models'?",
  ],
  ['a restriction of another kind', { models: 'cheap-*' }, 'models: expected a list'],
  ['a misspelt limit', { limits: { tokensPerMinutes: 5 } }, "limits: unknown key 'tokensPerMinutes'"],
  [
    'a budget without a unit',
    { limits: { budgets: [{ per: 'day', limit: 5 }] } },
    "limits.budgets.0: the key 'unit'",
  ],
  ['a key as a string', { key: 'canary' }, 'key: expected new Secret(…)'],
])('%s in an identity lets nobody in', async (_what, wrong, words) => {
  const asked = await ask(() => ({ id: 'ada', ...wrong }))
  expect(asked.status).toBe(500)
  expect(asked.complaints).toContain(words)
  expect(asked.text + asked.complaints).not.toContain('canary')
})

test('what else a database has on somebody does not matter', async () => {
  const asked = await ask(() => ({
    id: 'ada',
    models: ['cheap-*'],
    email: 'ada@example.org',
    createdAt: new Date(),
  }))
  expect(asked.status).toBe(200)
})
