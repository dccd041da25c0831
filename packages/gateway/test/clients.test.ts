// oxlint-disable unicorn/consistent-function-scoping -- what is replaced in a test belongs to it
import { HubError } from '@hydra/core'
import { expect, test } from 'vitest'
import {
  type Admission,
  type ClientIdentity,
  type Demand,
  type Limiter,
  Secret,
  type UsedTokens,
} from '../src/index.ts'
import { CHUNKED_HEAD, chunked, textEvent, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, type Proxy, startProxy } from './proxy.ts'
import { rawClient } from './raw-client.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const ADA: ClientIdentity = { id: 'ada', name: 'Ada', owner: 'maths' }

/** A limiter that writes down what it is asked. */
class Recorder implements Limiter {
  readonly demands: [string, Demand][] = []
  readonly settled: UsedTokens[] = []
  answer: Partial<Admission> | Promise<Partial<Admission>> = {}

  async admit({ id }: ClientIdentity, demand: Demand): Promise<Admission> {
    this.demands.push([id, demand])
    return { ...(await this.answer), settle: (used) => void this.settled.push(used) }
  }
}

function post(proxy: Proxy, path = '/v1/messages', model = 'claude'): Promise<Response> {
  const body = JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
  return fetch(proxy.url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

test('a client that a hook has named is counted: admitted before the call, settled by its usage', async () => {
  const limiter = new Recorder()
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const proxy = await opened(startProxy({ upstream: upstream.url, authorize: () => ADA, limiter }))
  expect((await post(proxy)).status).toBe(200)
  expect(limiter.demands).toMatchObject([
    ['ada', { model: 'claude', upstreamModel: 'm', upstream: 'up', maxOutput: 9 }],
  ])
  await eventually(() => limiter.settled.length === 1, 'the settlement')
  expect(limiter.settled[0]?.usage).toBeDefined()
  expect(proxy.reports[0]?.identity).toEqual(ADA)
})

test('a refusal reaches each client in its dialect, with its limits, and no upstream is called', async () => {
  const limiter = new Recorder()
  const level = { limit: 2, remaining: 0, resetsIn: 1500, resetsAt: '2026-11-18T12:00:00.000Z' }
  limiter.answer = {
    refusal: new HubError('rate_limit_error', 'slowly', { retryAfter: 1.2 }),
    limits: { requests: level },
  }
  const upstream = await opened(scriptedUpstream(() => {}))
  const proxy = await opened(startProxy({ upstream: upstream.url, authorize: () => ADA, limiter }))
  const messages = await post(proxy)
  expect(messages.status).toBe(429)
  expect(messages.headers.get('retry-after')).toBe('2')
  expect(messages.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
  expect(await messages.json()).toMatchObject({ error: { type: 'rate_limit_error', message: 'slowly' } })
  const chat = await post(proxy, '/v1/chat/completions')
  expect(chat.status).toBe(429)
  expect(chat.headers.get('x-ratelimit-reset-requests')).toBe('1.5s')
  limiter.answer = { refusal: new HubError('billing_error', 'spent') }
  const spent = await post(proxy, '/v1/chat/completions')
  expect([spent.status, spent.headers.get('x-should-retry')]).toEqual([402, 'false'])
  expect(upstream.requests).toHaveLength(0)
  expect(limiter.settled).toEqual(limiter.demands.map(() => ({ input: 0, output: 0 })))
})

test('a client that leaves is settled for what was produced', async () => {
  const limiter = new Recorder()
  const words = 'x'.repeat(400)
  const upstream = await opened(
    scriptedUpstream((wire) => wire.write(CHUNKED_HEAD + chunked(textEvent(words)))),
  )
  const proxy = await opened(startProxy({ upstream: upstream.url, authorize: () => ADA, limiter }))
  const client = await rawClient(proxy.port)
  await eventually(() => client.received().includes(words), 'the beginning of the answer')
  client.leave('RST')
  await eventually(() => limiter.settled.length === 1, 'the settlement')
  expect(limiter.settled[0]?.output).toBe(100)
  expect(limiter.settled[0]?.input).toBeGreaterThan(0)
  // Logs, metrics and the inspector add up to what is in the books.
  const { usage, isEstimated } = proxy.reports[0] ?? {}
  expect([usage?.input_tokens, usage?.output_tokens, isEstimated]).toEqual([
    limiter.settled[0]?.input,
    100,
    true,
  ])
})

test('a client that leaves while it waits to be admitted is settled for nothing', async () => {
  const limiter = new Recorder()
  let admit: (admission: Partial<Admission>) => void = () => {}
  limiter.answer = new Promise((resolve) => (admit = resolve))
  const upstream = await opened(scriptedUpstream(() => {}))
  const proxy = await opened(startProxy({ upstream: upstream.url, authorize: () => ADA, limiter }))
  const client = await rawClient(proxy.port)
  await eventually(() => limiter.demands.length === 1, 'the question')
  client.leave('RST')
  await eventually(() => proxy.reports.length === 1, 'the report')
  admit({})
  await eventually(() => limiter.settled.length === 1, 'the settlement')
  expect(limiter.settled).toEqual([{ input: 0, output: 0 }])
  expect(upstream.requests).toHaveLength(0)
})

test('a client uses only the models and routes that it may', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const may = async (identity: ClientIdentity): Promise<number> => {
    const proxy = await opened(startProxy({ upstream: upstream.url, authorize: () => identity }))
    return (await post(proxy)).status
  }
  expect(await may({ id: 'a', models: ['cla*'], routes: ['all'] })).toBe(200)
  expect(await may({ id: 'a', models: ['gpt*'] })).toBe(403)
  expect(await may({ id: 'a', routes: ['other'] })).toBe(403)
  expect(upstream.requests).toHaveLength(1)
})

test('the list of models has those that the client may ask for', async () => {
  const identity = { id: 'a', models: ['cla*'] }
  const routes = [{ name: 'all', upstream: 'up', models: { 'claude-x': 'm', 'gpt-x': 'm' } }]
  const upstreams = { up: chatUpstream('http://127.0.0.1:9', {}) }
  const proxy = await opened(startProxy({ upstreams, routes, authorize: () => identity }))
  const listed = await fetch(`${proxy.url}/v1/models`)
  const { data } = (await listed.json()) as { readonly data: readonly { readonly id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(['claude-x'])
  expect((await fetch(`${proxy.url}/v1/models/claude-x`)).status).toBe(200)
  expect((await fetch(`${proxy.url}/v1/models/gpt-x`)).status).toBe(404)
})

test('keys of an upstream take turns, and one that is refused is followed by the next', async () => {
  const upstream = await opened(
    scriptedUpstream((wire, { headers }) =>
      headers['authorization'] === 'Bearer canary-of-b'
        ? wire.write(WHOLE_ANSWER)
        : wire.write('HTTP/1.1 429 No\r\nretry-after: 60\r\ncontent-length: 0\r\n\r\n'),
    ),
  )
  const keys = ['a', 'b'].map((label) => ({ label, key: new Secret(`canary-of-${label}`) }))
  const proxy = await opened(startProxy({ upstreams: { up: chatUpstream(upstream.url, { keys }) } }))
  expect((await post(proxy)).status).toBe(200)
  expect((await post(proxy)).status).toBe(200)
  expect(upstream.requests.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer canary-of-a',
    'Bearer canary-of-b',
    'Bearer canary-of-b',
  ])
  await eventually(() => proxy.reports.length === 2, 'the reports')
  expect(proxy.reports.map((report) => report.keys)).toEqual([
    [
      { upstream: 'up', label: 'a', status: 429 },
      { upstream: 'up', label: 'b' },
    ],
    [{ upstream: 'up', label: 'b' }],
  ])
  expect(JSON.stringify(proxy.reports)).not.toContain('canary')
})
