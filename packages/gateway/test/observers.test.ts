import { type Cost, type PricedCall, profiles } from '@hydra/core'
import { expect, test, vi } from 'vitest'
import type { ExchangeObserver, GatewayObserver, GatewayState } from '../src/index.ts'
import { CHUNKED_HEAD, chunked, EVENTS, jsonAnswer, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, post, startProxy } from './proxy.ts'
import { type Script, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

interface Followed extends GatewayObserver {
  readonly heard: string[]
  state?: GatewayState
}

/** Writes down what it hears, each as one line. */
function follower(rest: Partial<ExchangeObserver> = {}): Followed {
  const heard: string[] = []
  const say = (line: string): void => void heard.push(line)
  return {
    heard,
    attach(state) {
      this.state = state
    },
    begin({ id, client, agent }) {
      say(`begin ${id} ${client} ${agent.name}`)
      return {
        request: ({ model }) => say(`request ${model}`),
        target: ({ route, upstream, model, dialect }) =>
          say(`target ${route} ${upstream} ${model} ${dialect}`),
        headers: () => ({ traceparent: '00-1' }),
        failed: ({ upstream, error, pause }) =>
          say(`failed ${upstream} ${error.status} ${pause === undefined ? 'for good' : 'again'}`),
        began: (status) => say(`began ${status}`),
        done: ({ outcome }) => say(`done ${outcome}`),
        ...rest,
      }
    },
  }
}

async function observed(script: Script, second: Script, observers: readonly GatewayObserver[]) {
  const [first, other] = [await opened(scriptedUpstream(script)), await opened(scriptedUpstream(second))]
  const proxy = await opened(
    startProxy({
      upstreams: { first: chatUpstream(first.url), other: chatUpstream(other.url) },
      routes: [
        { name: 'all', upstream: 'first', model: 'a', fallbacks: [{ upstream: 'other', model: 'b' }] },
      ],
      retries: { times: 1, pause: 1 },
      observers,
    }),
  )
  return { proxy, first, other }
}

const busy: Script = (wire) => wire.write(jsonAnswer(503, { error: { message: 'busy' } }))
const answer: Script = (wire) => wire.write(WHOLE_ANSWER)

test('an observer hears of tries and fallbacks in their order, and adds headers to each call', async () => {
  const observer = follower()
  const { proxy, first, other } = await observed(busy, answer, [observer])
  await (await post(proxy)).text()
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(observer.heard).toEqual([
    expect.stringContaining('begin req_id anthropic') as string,
    'request claude-x',
    'target all first a openai-chat',
    'failed first 529 again',
    'failed first 529 for good',
    'target all other b openai-chat',
    'began 200',
    'done answered',
  ])
  for (const { headers } of [...first.requests, ...other.requests]) {
    expect(headers).toMatchObject({ traceparent: '00-1' })
  }
  expect(first.requests).toHaveLength(2)
})

test('an observer sees when a breaker opens, and hears that its upstream was not even tried', async () => {
  const observer = follower()
  const { proxy } = await observed(busy, answer, [observer])
  expect(observer.state?.breakers()).toEqual(new Map([['first', 'closed']]))
  for (let asked = 0; asked < 3; asked += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await (await post(proxy)).text()
  }
  expect(observer.state?.breakers()).toEqual(new Map([['first', 'open']]))
  observer.heard.length = 0
  await (await post(proxy)).text()
  expect(observer.heard.slice(2, 5)).toEqual([
    'target all first a openai-chat',
    'failed first 529 for good',
    'target all other b openai-chat',
  ])
})

const slow: Script = async (wire) => {
  await wire.write(CHUNKED_HEAD)
  for (const event of EVENTS) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await new Promise((resolve) => setTimeout(resolve, 5))
    // oxlint-disable-next-line no-await-in-loop
    await wire.write(chunked(event))
  }
  await wire.write('0\r\n\r\n')
}

test('pieces are told with their time, and bytes as they were read, to those who want them', async () => {
  const times: number[] = []
  let bytes = 0
  const observer = follower({ piece: (now) => times.push(now), read: ({ length }) => (bytes += length) })
  const { proxy } = await observed(slow, busy, [observer])
  await (await post(proxy)).text()
  await eventually(() => observer.heard.includes('done answered'), 'the end')
  expect(bytes).toBe(Buffer.byteLength(EVENTS.join('')))
  // One for each text; a role and an end say nothing to this client.
  expect(times.length).toBeGreaterThanOrEqual(8)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

function fault(): never {
  throw new Error('broken observer')
}

test('an observer that throws changes nothing for the client, and is heard of', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  const observer = follower({ request: fault, headers: fault, began: fault, piece: fault, done: fault })
  const broken = { begin: fault }
  const { proxy } = await observed(answer, busy, [broken, observer])
  const response = await post(proxy)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('message_stop')
  expect(complaint).toHaveBeenCalledWith('hydra: an observer failed:', expect.any(Error))
  complaint.mockRestore()
})

const CALLS: PricedCall[] = []
const prices = {
  cost(call: PricedCall): Cost {
    CALLS.push(call)
    return call.usage === undefined ? { unknown: 'cut' } : { usd: 0.25, savedByCache: 0 }
  },
}

async function pricedReport(script: Script, fields: object = {}, path = '/v1/messages') {
  CALLS.length = 0
  const upstream = await opened(scriptedUpstream(script))
  const up = chatUpstream(upstream.url, { profile: profiles.openai })
  const proxy = await opened(startProxy({ upstreams: { up }, prices }))
  const body = JSON.stringify({
    model: 'claude-x',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
  })
  const headers = { 'content-type': 'application/json' }
  await fetch(proxy.url + path, { method: 'POST', body, headers }).then(
    (response) => response.text().catch(() => ''),
    () => '',
  )
  await eventually(() => proxy.reports.length === 1, 'a report')
  return { report: proxy.reports[0], url: upstream.url }
}

test('the report says what an answer cost, by the upstream’s address and its name for the model', async () => {
  const { report, url } = await pricedReport(answer)
  expect(report?.cost).toEqual({ usd: 0.25, savedByCache: 0 })
  expect(CALLS).toMatchObject([
    { upstream: 'up', url, model: 'm', isEstimated: false, usage: { input_tokens: 9 } },
  ])
})

test('what a cut answer cost is not known, and a refusal costs nothing', async () => {
  const cut = await pricedReport(async (wire) => {
    await wire.write(CHUNKED_HEAD + EVENTS.slice(0, 4).map(chunked).join(''))
    wire.reset()
  })
  expect(cut.report).toMatchObject({ outcome: 'failed', cost: { unknown: 'cut' } })
  const refused = await pricedReport((wire) => wire.write(jsonAnswer(400, { error: { message: 'no' } })))
  expect(refused.report).toMatchObject({ outcome: 'failed', status: 400 })
  expect(refused.report?.cost).toBeUndefined()
})

test('an exchange is priced by the tier that the upstream is asked for, relayed or translated', async () => {
  await pricedReport(answer, { service_tier: 'flex' }, '/v1/chat/completions')
  expect(CALLS[0]?.tier).toBe('flex')
  await pricedReport(answer, { service_tier: 'flex', input: 'Hi' }, '/v1/responses')
  expect(CALLS[0]?.tier).toBe('flex')
  await pricedReport(answer)
  expect(CALLS[0]?.tier).toBeUndefined()
})

test('a usage that nobody counted is said to be an estimate', async () => {
  const without = EVENTS.filter((event) => !event.includes('prompt_tokens'))
  const { report } = await pricedReport((wire) =>
    wire.write(CHUNKED_HEAD + without.map(chunked).join('') + '0\r\n\r\n'),
  )
  expect(report?.isEstimated).toBe(true)
  expect(CALLS[0]?.isEstimated).toBe(true)
})
