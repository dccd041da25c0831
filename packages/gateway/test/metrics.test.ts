import { expect, test } from 'vitest'
import { type RequestInfo, Secret } from '../src/index.ts'
import {
  createMetrics,
  formatMetrics,
  mergeMetrics,
  type MetricFamily,
  type Metrics,
} from '../src/metrics/index.ts'
import { processFigures } from '../src/node/index.ts'
import { CHUNKED_HEAD, chunked, EVENTS, jsonAnswer, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, post, startProxy } from './proxy.ts'
import { type Script, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const LOCAL = { hosts: ['127.0.0.1'] }
const PRICES = { cost: () => ({ usd: 0.25, savedByCache: 0 }) }

async function measured(script: Script, fields: object = {}) {
  const upstream = await opened(scriptedUpstream(script))
  const metrics = createMetrics()
  const proxy = await opened(
    startProxy({
      upstream: upstream.url,
      observers: [metrics],
      metrics: () => metrics.text(),
      guard: LOCAL,
      prices: PRICES,
      ...fields,
    }),
  )
  return { proxy, metrics, upstream }
}

function lines(metrics: Pick<Metrics, 'text'>, name: string): string[] {
  return metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
}

test('an answer is counted with its tokens, its money and its times', async () => {
  const { proxy, metrics } = await measured((wire) => wire.write(WHOLE_ANSWER))
  await (await post(proxy)).text()
  await eventually(() => proxy.reports.length === 1, 'a report')
  const answer = await fetch(`${proxy.url}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  for (const line of [
    'hydra_requests_total{client="anthropic",upstream="up",model="m",outcome="answered"} 1',
    'hydra_input_tokens_total{upstream="up",model="m",source="upstream",cache="none"} 9',
    'hydra_input_tokens_total{upstream="up",model="m",source="upstream",cache="read"} 0',
    'hydra_output_tokens_total{upstream="up",model="m",source="upstream"} 5',
    'hydra_cost_usd_total{upstream="up",model="m"} 0.25',
    'hydra_time_to_first_token_seconds_count{upstream="up",model="m"} 1',
    'hydra_request_duration_seconds_count{upstream="up",model="m",outcome="answered"} 1',
    'hydra_requests_active 0',
    'hydra_streams_active 0',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
  expect(lines(metrics, 'hydra_errors_total')).toEqual([])
})

test('a stream is active while it runs, and the gaps in it are measured', async () => {
  const gate = Promise.withResolvers<undefined>()
  const { proxy, metrics } = await measured(async (wire) => {
    await wire.write(CHUNKED_HEAD + chunked(EVENTS.slice(0, 3).join('')))
    await gate.promise
    await wire.write(EVENTS.slice(3).map(chunked).join('') + '0\r\n\r\n')
  })
  const response = await post(proxy)
  expect(lines(metrics, 'hydra_streams_active')).toEqual(['hydra_streams_active 1'])
  await new Promise((resolve) => setTimeout(resolve, 30))
  gate.resolve(undefined)
  await response.text()
  await eventually(() => proxy.reports.length === 1, 'a report')
  expect(lines(metrics, 'hydra_streams_active')).toEqual(['hydra_streams_active 0'])
  const [sum = ''] = lines(metrics, 'hydra_stream_gap_seconds_sum')
  expect(Number(sum.split(' ')[1])).toBeGreaterThan(0.025)
})

test('failures are counted by kind, retries and fallbacks by upstream, and the breaker is seen', async () => {
  const busy = await opened(
    scriptedUpstream((wire) => wire.write(jsonAnswer(500, { error: { message: 'x' } }))),
  )
  const { proxy, metrics, upstream } = await measured((wire) => wire.write(jsonAnswer(400, { error: {} })), {
    retries: { times: 1, pause: 1 },
    routes: [{ name: 'all', upstream: 'busy', model: 'm', fallbacks: [{ upstream: 'up', model: 'n' }] }],
    upstreams: { busy: chatUpstream(busy.url), up: chatUpstream('http://127.0.0.1:1') },
    breaker: { consecutive: 2 },
  })
  expect(upstream.requests).toEqual([])
  await (await post(proxy)).text()
  expect(lines(metrics, 'hydra_retries_total')).toContainEqual(
    'hydra_retries_total{upstream="busy",kind="api_error"} 1',
  )
  expect(lines(metrics, 'hydra_fallbacks_total')).toEqual([
    'hydra_fallbacks_total{upstream="busy",to="up"} 1',
  ])
  expect(lines(metrics, 'hydra_errors_total')).toEqual([
    'hydra_errors_total{upstream="up",kind="api_error"} 1',
  ])
  expect(lines(metrics, 'hydra_breaker_state')).toEqual([
    'hydra_breaker_state{upstream="busy",state="closed"} 0',
    'hydra_breaker_state{upstream="busy",state="open"} 1',
    'hydra_breaker_state{upstream="busy",state="probing"} 0',
  ])
})

test('refusals of single keys are counted by their labels', async () => {
  const up = await opened(
    scriptedUpstream((wire, { headers }) =>
      wire.write(
        headers['authorization'] === 'Bearer canary-of-b'
          ? jsonAnswer(200, { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] })
          : jsonAnswer(401, { error: { message: 'no' } }),
      ),
    ),
  )
  const keys = ['a', 'b'].map((label) => ({ label, key: new Secret(`canary-of-${label}`) }))
  const { proxy, metrics } = await measured(refuse, { upstreams: { up: chatUpstream(up.url, { keys }) } })
  expect((await post(proxy)).status).toBe(200)
  expect(lines(metrics, 'hydra_key_refusals_total')).toEqual([
    'hydra_key_refusals_total{upstream="up",key="a",status="401"} 1',
  ])
})

const refuse: Script = (wire) => wire.write(jsonAnswer(404, { error: { message: 'no such model' } }))

test('clients that make up models do not make up labels', async () => {
  const routes = [{ name: 'all', upstream: 'up' }]
  const { proxy, metrics } = await measured(refuse, { routes })
  for (const model of ['a', 'b"\n', 'c']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await (await post(proxy, { model })).text()
  }
  expect(lines(metrics, 'hydra_requests_total')).toEqual([
    'hydra_requests_total{client="anthropic",upstream="up",model="other",outcome="failed"} 3',
  ])
  const answering = await measured((wire) => wire.write(WHOLE_ANSWER), { routes })
  for (let number = 0; number < 110; number += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await (await post(answering.proxy, { model: `model-${number}` })).text()
  }
  await eventually(() => answering.proxy.reports.length === 110, 'all reports')
  expect(lines(answering.metrics, 'hydra_requests_total')).toHaveLength(101)
  expect(lines(answering.metrics, 'hydra_requests_total').at(-1)).toContain(
    'model="other",outcome="answered"} 10',
  )
})

test('figures are for those who bring the key, and a door without one has none', async () => {
  const { proxy } = await measured((wire) => wire.write(WHOLE_ANSWER), { guard: { key: new Secret('k') } })
  expect((await fetch(`${proxy.url}/metrics`)).status).toBe(401)
  const headers = { authorization: 'Bearer k' }
  expect((await fetch(`${proxy.url}/metrics`, { headers })).status).toBe(200)
  await expect(measured((wire) => wire.write(''), { guard: undefined })).rejects.toThrow('keep strangers out')
  const silent = await opened(startProxy({ guard: LOCAL }))
  expect((await fetch(`${silent.url}/metrics`)).status).toBe(404)
})

const HISTOGRAM: MetricFamily = {
  type: 'histogram',
  name: 'h_seconds',
  help: 'A\\B\nC',
  bounds: [0.5, 1],
  samples: [{ labels: { a: 'x"y\\z\n' }, counts: [1, 2, 3], sum: 12.5 }],
}

test('the text format: cumulative buckets, escaped labels and help, nothing of what was never counted', () => {
  const empty: MetricFamily = { type: 'counter', name: 'c_total', help: 'h', samples: [] }
  const label = String.raw`a="x\"y\\z\n"`
  expect(formatMetrics([empty, HISTOGRAM])).toBe(
    [
      String.raw`# HELP h_seconds A\\B\nC`,
      '# TYPE h_seconds histogram',
      `h_seconds_bucket{${label},le="0.5"} 1`,
      `h_seconds_bucket{${label},le="1"} 3`,
      `h_seconds_bucket{${label},le="+Inf"} 6`,
      `h_seconds_sum{${label}} 12.5`,
      `h_seconds_count{${label}} 6`,
      '',
    ].join('\n'),
  )
})

const count = (value: number): MetricFamily => ({
  type: 'counter',
  name: 'c_total',
  help: 'h',
  samples: [{ labels: { a: 'b' }, value }],
})

test('figures of several processes are added, but for those that belong to one of them', () => {
  const own = (value: number): MetricFamily => ({
    ...count(value),
    name: 'memory_bytes',
    isPerProcess: true,
  })
  const merged = mergeMetrics([
    { worker: '1', families: [count(2), HISTOGRAM, own(10)] },
    { worker: '2', families: [count(3), HISTOGRAM, own(20)] },
  ])
  expect(merged).toMatchObject([
    { name: 'c_total', samples: [{ labels: { a: 'b' }, value: 5 }] },
    { name: 'h_seconds', samples: [{ counts: [2, 4, 6], sum: 25 }] },
    {
      name: 'memory_bytes',
      samples: [
        { labels: { a: 'b', worker: '1' }, value: 10 },
        { labels: { a: 'b', worker: '2' }, value: 20 },
      ],
    },
  ])
})

test('the figures of this process are numbers', () => {
  const text = formatMetrics(processFigures('1.2.3')())
  expect(text).toContain(`hydra_build_info{version="1.2.3",node="${process.version}"} 1`)
  expect(Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(1e6)
  expect(text).not.toContain('NaN')
})

function knowsOneClient({ headers }: RequestInfo<unknown>): { id: string } | true {
  return headers['x-api-key'] === 'of-a-client' ? { id: 'client-1' } : true
}

test('a client with a key of its own does not see what all others use', async () => {
  const { proxy } = await measured((wire) => wire.write(WHOLE_ANSWER), { authorize: knowsOneClient })
  expect((await fetch(`${proxy.url}/metrics`)).status).toBe(200)
  const headers = { 'x-api-key': 'of-a-client' }
  expect((await fetch(`${proxy.url}/metrics`, { headers })).status).toBe(403)
})

const OPEN = new Map([['up', 'open']] as const)

test('a gateway with new settings takes the place of the one before, with its breakers', () => {
  const metrics = createMetrics()
  for (let made = 0; made < 2; made += 1) {
    metrics.attach?.({ options: { upstreams: {}, routes: [] }, breakers: () => OPEN })
  }
  expect(lines(metrics, 'hydra_breaker_state')).toHaveLength(3)
})
