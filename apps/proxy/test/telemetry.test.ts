import { expect, test } from 'vitest'
import { answer, beginStream, endStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { type Collector, type ReceivedSpan, startCollector, valuesOf } from './collector.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra, type Variables } from './hydra.ts'
import { configFile } from './temporary.ts'
import { type Script, startUpstream, type Upstream } from './upstream.ts'

const opened = closing()

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const SOON = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_METRIC_EXPORT_INTERVAL: '100' }

interface Traced {
  readonly hydra: Hydra
  readonly upstream: Upstream
  readonly collector: Collector
}

async function traced(script: Script, env: Variables = {}): Promise<Traced> {
  const upstream = await opened(startUpstream(script))
  const collector = await opened(startCollector())
  const config = configFile(
    JSON.stringify({
      upstreams: { mine: { url: upstream.url, profile: 'mistral' } },
      routes: [{ name: 'all', upstream: 'mine', model: 'm-large' }],
      retries: { pause: 1 },
      prices: { mine: { '*': { input: 1_000_000, cacheRead: 1000, output: 0 } } },
    }),
  )
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...SOON, ...env }
  const hydra = await opened(startHydra(['--config', config, '--log', 'json'], variables))
  return { hydra, upstream, collector }
}

async function ask({ url }: Hydra, fields: object = {}): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    traceparent: `00-${TRACE}-${PARENT}-01`,
    'x-claude-code-session-id': 'session-1',
  }
  const body = JSON.stringify({
    model: 'claude-x',
    max_tokens: 99,
    temperature: 0.5,
    stream: true,
    system: 'Secret instructions.',
    messages: [{ role: 'user', content: 'Secret question?' }],
    ...fields,
  })
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
  return response.text().catch(() => '')
}

async function spanIn({ spans }: Collector): Promise<ReceivedSpan> {
  return eventually(() => spans[0], 'a span')
}

test('an exchange is one span of a client, in the trace of its client, and the upstream gets it on', async () => {
  const { hydra, upstream, collector } = await traced(answer({ text: 'Secret answer.' }))
  await ask(hydra)
  const span = await spanIn(collector)
  expect(span).toMatchObject({ name: 'chat m-large', kind: 3, traceId: TRACE, parentSpanId: PARENT })
  expect(span.status.code).toBe(0)
  expect(upstream.seen[0]?.headers['traceparent']).toBe(`00-${TRACE}-${span.spanId}-01`)
  expect(valuesOf(span.attributes)).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'mistral_ai',
    'gen_ai.request.model': 'm-large',
    'gen_ai.request.max_tokens': 99,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.stream': true,
    'gen_ai.conversation.id': 'session-1',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.response.model': 'm-large-2026',
    'gen_ai.response.id': 'c1',
    'gen_ai.usage.input_tokens': 1200,
    'gen_ai.usage.output_tokens': 34,
    'gen_ai.usage.cache_read.input_tokens': 1000,
    'gen_ai.usage.cache_creation.input_tokens': 0,
    // 200 tokens at a dollar each, 1000 at a thousandth of it.
    'gen_ai.usage.cost': 201,
    'server.address': '127.0.0.1',
    'server.port': Number(new URL(upstream.url).port),
    'hydra.client.model': 'claude-x',
    'hydra.route': 'all',
  })
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'hydra' })
  expect(JSON.stringify(collector.spans)).not.toContain('Secret')
})

test('metrics have the released names and the values of the answer', async () => {
  const { hydra, collector } = await traced(async (_seen, response) => {
    beginStream(response)
    for (const content of ['A ', 'few ', 'words']) {
      writeChunk(response, { content })
      // oxlint-disable-next-line no-await-in-loop -- pieces that come one after the other
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    endStream(response)
  })
  await ask(hydra)
  const { metrics } = collector
  const tokens = await eventually(() => metrics.get('gen_ai.client.token.usage'), 'the metric')
  const sums = (tokens.histogram?.dataPoints ?? []).map(({ attributes, sum }) => [
    valuesOf(attributes)['gen_ai.token.type'],
    sum,
  ])
  expect(sums).toEqual([
    ['input', 1200],
    ['output', 34],
  ])
  for (const name of ['duration', 'time_to_first_chunk', 'time_per_output_chunk']) {
    const metric = metrics.get(`gen_ai.client.operation.${name}`)
    expect(metric?.unit, name).toBe('s')
    expect(valuesOf(metric?.histogram?.dataPoints[0]?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'mistral_ai',
      'gen_ai.request.model': 'm-large',
    })
  }
})

test('the newer names come when they are asked for', async () => {
  const env = { OTEL_SEMCONV_STABILITY_OPT_IN: 'http,gen_ai_latest_experimental' }
  const { hydra, collector } = await traced(answer({ text: 'Here you are.' }), env)
  await ask(hydra)
  const { metrics } = collector
  const read = await eventually(
    () => metrics.get('gen_ai.client.inference.usage.cache_read.input_tokens'),
    'the metric',
  )
  const [point] = read.sum?.dataPoints ?? []
  expect(Number(point?.asInt ?? point?.asDouble)).toBe(1000)
  expect(valuesOf(point?.attributes ?? [])).toMatchObject({ 'gen_ai.token.modality': 'unknown' })
  expect([...metrics.keys()]).toContain('gen_ai.client.inference.duration')
  expect([...metrics.keys()]).not.toContain('gen_ai.client.operation.duration')
  const span = await spanIn(collector)
  expect(valuesOf(span.attributes)).toHaveProperty(['gen_ai.usage.cache_write.input_tokens'], 0)
})

test('under the newer names a call that failed counts no tokens, as a series of zeros', async () => {
  const env = { OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental' }
  const { hydra, collector } = await traced(refuse(400, { message: 'no' }), env)
  await ask(hydra)
  const { metrics } = collector
  const counted = await eventually(
    () => metrics.get('gen_ai.client.inference.usage.input_tokens'),
    'the metric',
  )
  const [point] = counted.sum?.dataPoints ?? []
  expect(Number(point?.asInt ?? point?.asDouble)).toBe(0)
  expect(valuesOf(point?.attributes ?? [])).toMatchObject({ 'gen_ai.token.modality': 'unknown' })
  expect(metrics.has('gen_ai.client.inference.operation.input_tokens')).toBe(false)
})

test('a span tells what clients of other dialects ask for', async () => {
  const { hydra, collector } = await traced(answer({ text: '{}' }))
  await fetch(`${hydra.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'any',
      messages: [{ role: 'user', content: 'Some JSON?' }],
      seed: 7,
      frequency_penalty: 0.5,
      presence_penalty: 0.25,
      reasoning_effort: 'high',
      response_format: { type: 'json_object' },
    }),
  })
  const span = await spanIn(collector)
  expect(valuesOf(span.attributes)).toMatchObject({
    'gen_ai.request.seed': 7,
    'gen_ai.request.frequency_penalty': 0.5,
    'gen_ai.request.presence_penalty': 0.25,
    'gen_ai.request.reasoning.level': 'high',
    'gen_ai.output.type': 'json',
  })
})

test('a stream that is cut off finishes in an error, without a usage', async () => {
  const { hydra, collector } = await traced(async (_seen, response) => {
    beginStream(response)
    writeChunk(response, { content: 'Half an ans' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
  })
  expect(await ask(hydra)).toContain('event: error')
  const span = await spanIn(collector)
  const values = valuesOf(span.attributes)
  expect(values).toMatchObject({ 'gen_ai.response.finish_reasons': ['error'] })
  expect(values['error.type']).toMatch(/_error$/)
  expect(values).not.toHaveProperty(['gen_ai.usage.input_tokens'])
  expect(values).not.toHaveProperty(['gen_ai.usage.cost'])
  expect(span.status.code).toBe(2)
  const duration = await eventually(
    () => collector.metrics.get('gen_ai.client.operation.duration'),
    'the duration',
  )
  expect(valuesOf(duration.histogram?.dataPoints[0]?.attributes ?? [])).toHaveProperty(['error.type'])
  expect(collector.metrics.has('gen_ai.client.token.usage')).toBe(false)
})

test('tries that failed are events of the one span', async () => {
  const busy = refuse(503, { message: 'busy' })
  const { hydra, collector } = await traced((seen, response, number) =>
    number === 0 ? busy(seen, response, number) : answer({ text: 'Now.' })(seen, response, number),
  )
  await ask(hydra)
  const { events } = await spanIn(collector)
  expect(events).toHaveLength(1)
  expect(events[0]?.name).toBe('hydra.try.failed')
  expect(valuesOf(events[0]?.attributes ?? [])).toMatchObject({
    'hydra.upstream': 'mine',
    'error.type': 'overloaded_error',
  })
  expect(collector.spans).toHaveLength(1)
})

test('words leave only if they are asked for', async () => {
  const env = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY' }
  const calls = [{ id: 'call_1', name: 'look', input: { at: 'x' } }]
  const { hydra, collector } = await traced(answer({ text: 'Secret answer.', calls }), env)
  await ask(hydra, { tools: [{ name: 'look', input_schema: { type: 'object' } }] })
  const values = valuesOf((await spanIn(collector)).attributes)
  const parsed = (name: string): unknown => JSON.parse(String(values[name]))
  expect(parsed('gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'Secret question?' }] },
  ])
  expect(parsed('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'Secret instructions.' }])
  expect(parsed('gen_ai.tool.definitions')).toMatchObject([{ name: 'look' }])
  expect(parsed('gen_ai.output.messages')).toEqual([
    {
      role: 'assistant',
      finish_reason: 'tool_call',
      parts: [
        { type: 'text', content: 'Secret answer.' },
        { type: 'tool_call', id: 'call_1', name: 'look', arguments: { at: 'x' } },
      ],
    },
  ])
})

test('what is left is sent when the proxy ends', async () => {
  const late = { OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_METRIC_EXPORT_INTERVAL: '60000' }
  const { hydra, collector } = await traced(answer({ text: 'Bye.' }), late)
  await ask(hydra)
  hydra.signal('SIGTERM')
  await hydra.ended
  expect(collector.spans).toHaveLength(1)
  expect([...collector.metrics.keys()]).toContain('gen_ai.client.token.usage')
})
