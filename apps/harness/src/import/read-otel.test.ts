import { Buffer } from 'node:buffer'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ExchangeSummary, summarizeSession } from '@hydra/inspector/summary'
import { readTape, type Tape, type TapedCall, type TapedExchange } from '@hydra/tape'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/record-tape.ts'
import { runMain } from '../../test/run-main.ts'
import { surroundings } from '../../test/surroundings.ts'
import { lastCallOf } from '../drift/drift.ts'
import { verifyCommand } from '../verify/verify-command.ts'
import { sessionFigures } from '../weigh/session-figures.ts'
import { importCommand } from './import-command.ts'
import { readSource } from './read-source.ts'

type Plain = string | number | boolean | readonly string[]

/** A value in the JSON form of OTLP. */
function anyValue(value: Plain): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(anyValue) } }
}

function attributes(plain: Readonly<Record<string, Plain | undefined>>): readonly object[] {
  return Object.entries(plain).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

const INPUT = JSON.stringify([
  { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
  { role: 'user', parts: [{ type: 'text', content: 'Weather in Oslo?' }] },
  {
    role: 'assistant',
    parts: [{ type: 'tool_call', id: 'call_a', name: 'get_weather', arguments: { city: 'Oslo' } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_a', response: '4 degrees' }] },
])
const OUTPUT = JSON.stringify([
  { role: 'assistant', parts: [{ type: 'text', content: 'It is 4 degrees.' }], finish_reason: 'stop' },
])
const TOOLS = JSON.stringify([
  { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: { city: {} } } },
])

const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o-2024',
  'gen_ai.response.id': 'chatcmpl-1',
  'gen_ai.response.time_to_first_chunk': 0.5,
  'gen_ai.usage.input_tokens': 100,
  'gen_ai.usage.cache_read.input_tokens': 60,
  'gen_ai.usage.output_tokens': 7,
  'gen_ai.input.messages': INPUT,
  'gen_ai.output.messages': OUTPUT,
  'gen_ai.tool.definitions': TOOLS,
} as const

interface SpanChanges {
  readonly attributes?: Readonly<Record<string, Plain | undefined>>
  readonly span?: object
}

function span({ attributes: changed = {}, span: rest = {} }: SpanChanges = {}): object {
  return {
    traceId: 't1',
    spanId: 's1',
    name: 'chat gpt-4o',
    kind: 3,
    startTimeUnixNano: '1767268800500000000',
    endTimeUnixNano: '1767268802500000000',
    attributes: attributes({ ...CHAT, ...changed }),
    ...rest,
  }
}

function exported(...spans: readonly unknown[]): object {
  return { resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: 'x' }, spans }] }] }
}

async function importText(
  text: string,
  ...args: string[]
): Promise<{ code: number; out: string; tape: string }> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'traces.json'), text)
  const around = surroundings()
  const tape = join(folder, 'tape')
  const code = await importCommand.run([join(folder, 'traces.json'), '--out', tape, ...args], around)
  return { code, out: around.written.out, tape }
}

async function imported(...spans: readonly object[]): Promise<Tape> {
  const { code, out, tape } = await importText(JSON.stringify(exported(...spans)))
  expect(code, out).toBe(0)
  return readTape(tape)
}

function only(tape: Tape): ExchangeSummary | undefined {
  expect(tape.exchanges).toHaveLength(1)
  return summarizeSession(tape).exchanges[0]
}

test('a span with its words becomes an exchange of the provider’s dialect, with times and tokens', async () => {
  const tape = await imported(span())
  expect(tape.header).toMatchObject({ started: '2026-01-01T12:00:00.500Z', imported: { from: 'otel' } })
  const [call] = tape.exchanges[0]?.calls ?? []
  expect(call?.via).toEqual({ upstream: 'api.openai.com', dialect: 'openai-chat', model: 'gpt-4o' })
  expect(call?.request.path).toBe('/v1/chat/completions')
  expect(JSON.parse(Buffer.from(call?.request.body ?? []).toString())).toMatchObject({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Oslo?' },
      { role: 'assistant', tool_calls: [{ id: 'call_a', function: { name: 'get_weather' } }] },
      { role: 'tool', tool_call_id: 'call_a', content: '4 degrees' },
    ],
    tools: [{ function: { name: 'get_weather' } }],
  })
  expect(call?.answer).toMatchObject({ status: 200, at: 500_000, chunks: [{ at: 2_000_000 }] })
  expect(only(tape)).toMatchObject({
    answer: { utterances: [{ kind: 'text', text: 'It is 4 degrees.' }], stopReason: 'end_turn', whole: true },
    tokens: { input: 40, fromCache: 60, output: 7 },
    marks: [],
  })
})

test.each([
  ['anthropic', 'claude-opus-5', '/v1/messages'],
  ['gcp.gemini', 'gemini-2.5-pro', '/v1beta/models/gemini-2.5-pro:generateContent'],
  ['gcp.vertex_ai', 'gemini-2.5-pro', '/v1beta/models/gemini-2.5-pro:generateContent'],
  ['openai', 'gpt-5.5', '/v1/responses'],
  ['somebody', 'x', '/v1/chat/completions'],
])(
  'a call of %s is written as it would have been sent, in one body and as a stream',
  async (name, model, path) => {
    const asked = { 'gen_ai.provider.name': name, 'gen_ai.request.model': model }
    for (const stream of [false, true]) {
      // oxlint-disable-next-line no-await-in-loop -- two small files
      const tape = await imported(span({ attributes: { ...asked, 'gen_ai.request.stream': stream } }))
      const { request, answer } = lastCallOf(tape.exchanges[0] as TapedExchange) as TapedCall
      expect(request.path.split('?')[0]?.replace('streamGenerate', 'generate')).toBe(path)
      expect(answer.headers['content-type']).toContain(stream ? 'text/event-stream' : 'application/json')
      expect(only(tape)).toMatchObject({
        request: { model },
        answer: { utterances: [{ text: 'It is 4 degrees.' }], whole: true },
        tokens: { output: 7 },
      })
    }
  },
)

test('calls, reasoning and pictures are carried over; what is not known is named', async () => {
  const input = [
    {
      role: 'user',
      parts: [
        { type: 'text', content: 'What is this?' },
        { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0KGgo=' },
        { type: 'hologram', content: 'x' },
      ],
    },
  ]
  const output = [
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', content: 'A cat.' },
        { type: 'tool_call', name: 'look', arguments: '{"at":"cat"}' },
      ],
      finish_reason: 'tool_call',
    },
    { role: 'assistant', parts: [], finish_reason: 'stop' },
  ]
  const words = {
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
  }
  const tape = await imported(span({ attributes: words }))
  expect(Buffer.from(tape.exchanges[0]?.request?.body ?? []).toString()).toContain('iVBORw0KGgo=')
  expect(only(tape)).toMatchObject({
    answer: {
      utterances: [
        { kind: 'thinking', text: 'A cat.' },
        { kind: 'call', name: 'look', text: '{"at":"cat"}' },
      ],
      stopReason: 'tool_use',
    },
    marks: [
      'not carried over: a part of type hologram',
      'not carried over: 1 more of the answers that were asked for at once',
    ],
  })
})

test('words may be on an event of the span, or on a log record that names it; lines are documents', async () => {
  const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output, ...rest } = CHAT
  const words = attributes({ 'gen_ai.input.messages': input, 'gen_ai.output.messages': output })
  const details = { name: 'gen_ai.client.inference.operation.details', attributes: words }
  const onEvent = span({ span: { attributes: attributes(rest), events: [details] } })
  const bare = span({ span: { spanId: 's2', attributes: attributes(rest) } })
  const record = { eventName: details.name, traceId: 't1', spanId: 's2', attributes: words }
  const alone = { eventName: details.name, timeUnixNano: '1767268809000000000', attributes: attributes(CHAT) }
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record, alone] }] }] }
  const text = [exported(onEvent), exported(bare), logs]
    .map((document) => JSON.stringify(document))
    .join('\n')
  const { code, tape } = await importText(text)
  expect(code).toBe(0)
  const exchanges = summarizeSession(readTape(tape)).exchanges
  expect(exchanges.map(({ answer }) => answer?.utterances[0]?.text)).toEqual(
    Array.from({ length: 3 }, () => 'It is 4 degrees.'),
  )
})

test('a call that failed does not look whole, and tokens that nobody counted are not told', async () => {
  const failed = { status: { code: 2, message: 'the connection broke' } }
  const broken = await imported(span({ span: failed, attributes: { 'error.type': 'ECONNRESET' } }))
  expect(only(broken)).toMatchObject({
    ending: { kind: 'interrupted' },
    marks: [
      'the call failed: ECONNRESET: the connection broke',
      expect.stringContaining('not whole') as string,
    ],
  })
  const unanswered = await imported(
    span({ span: failed, attributes: { 'gen_ai.output.messages': undefined } }),
  )
  expect(only(unanswered)).toMatchObject({ answer: undefined, ending: { kind: 'interrupted' } })
  const uncounted = await imported(
    span({ attributes: { 'gen_ai.usage.input_tokens': undefined, 'gen_ai.usage.output_tokens': undefined } }),
  )
  expect(only(uncounted)).toMatchObject({ tokens: undefined, marks: [expect.stringContaining('counted')] })
})

test('what carries no content or is about something else is counted, what is broken is told', async () => {
  const { code, out } = await importText(
    JSON.stringify(
      exported(
        span(),
        span({ attributes: { 'gen_ai.input.messages': undefined } }),
        span({ attributes: { 'gen_ai.operation.name': 'execute_tool' } }),
        { name: 'GET /', attributes: [] },
        span({ attributes: { 'gen_ai.input.messages': `${INPUT.slice(0, 40)}…` } }),
        'nonsense',
      ),
    ),
  )
  expect(code).toBe(1)
  expect(out).toContain('Imported 1 exchange (otel)')
  expect(out).toContain('- span 2: it carries no content: there is no gen_ai.input.messages')
  expect(out).toContain('- span 3: execute_tool asks no model for an answer')
  expect(out).toContain('- span 4: it is about no model')
  expect(out).toContain('- span 5: its gen_ai.input.messages is no list in JSON; a limit may have cut it off')
  expect(out).toContain('- span 6: expected an object')
})

test('hostile spans are read without an exception, and each is imported or told', () => {
  const parts = fc.oneof(fc.jsonValue(), fc.array(fc.record({ role: fc.jsonValue(), parts: fc.jsonValue() })))
  fc.assert(
    fc.property(
      fc.array(parts, { maxLength: 3 }),
      fc.array(fc.jsonValue(), { maxLength: 3 }),
      (some, any) => {
        const spans = [
          ...some.map((value) =>
            span({
              attributes: {
                'gen_ai.input.messages': JSON.stringify(value),
                'gen_ai.output.messages': JSON.stringify(value),
                'gen_ai.tool.definitions': JSON.stringify(value),
              },
            }),
          ),
          ...any,
        ]
        const { exchanges, skipped } = readSource(JSON.stringify(exported(...spans)), 'otel')
        expect(exchanges.length + skipped.length).toBe(spans.length)
      },
    ),
  )
})

/** Takes what an exporter of traces sends, as JSON. */
async function collector(): Promise<{ readonly url: string; readonly documents: readonly string[] }> {
  const documents: string[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.url?.endsWith('/v1/traces') === true) documents.push(Buffer.concat(pieces).toString())
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, documents }
}

test('what Hydra’s own telemetry exports of a session says what its tape says', async () => {
  const { url, documents } = await collector()
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'weather.txt'), '4 degrees, rain')
  const program = fileURLToPath(new URL('../../test/weather-program.ts', import.meta.url))
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
  }
  const ran = await runMain(['record', '--out', 'tapes', '--', process.execPath, program], { folder, env })
  expect(ran.code, ran.err).toBe(0)
  const name = readdirSync(join(folder, 'tapes')).find((entry) => !entry.startsWith('.')) ?? ''
  const judged = { cost: { usd: undefined, unpriced: 0, unknown: undefined }, verdict: undefined }
  const recorded = sessionFigures(readTape(join(folder, 'tapes', name)), judged)
  const { code, out, tape } = await importText(documents.join('\n'))
  expect(code, out).toBe(0)
  expect(await verifyCommand.run([tape], surroundings())).toBe(0)
  const { turns, tools, finalText } = sessionFigures(readTape(tape), judged)
  expect(recorded.turns).toBeGreaterThan(0)
  expect({ turns, tools, finalText }).toEqual({
    turns: recorded.turns,
    tools: recorded.tools,
    finalText: recorded.finalText,
  })
})
