import { HubError, registry } from '@hydra/core'
import { expect, test } from 'vitest'
import { contextOf } from '../context.ts'
import type { DialectExchange } from './exchange.ts'
import { ExchangeReporter } from './exchange-reporter.ts'
import type { ExchangeReport } from './report.ts'

const EXCHANGE: DialectExchange<string> = {
  method: 'POST',
  path: '/v1/messages',
  query: '?beta=true',
  headers: { 'user-agent': 'test/1' },
  native: 'native',
  caller: { dialect: 'anthropic', client: registry.client('anthropic'), params: {} },
  reply: {
    head() {},
    write: () => true,
    end() {},
    close() {},
    breakOff() {},
    listener: undefined,
    isGone: false,
  },
  readBody: () => Promise.reject(new Error('not read here')),
}

function recording(): { reporter: ExchangeReporter<string>; told: [ExchangeReport, string][] } {
  const told: [ExchangeReport, string][] = []
  const context = contextOf<string>({
    upstreams: {},
    routes: [],
    newId: () => '1',
    onExchange: (report, native) => told.push([report, native]),
  })
  return { reporter: new ExchangeReporter(EXCHANGE, context), told }
}

const NOTE = { path: '', message: '' }

test('a report says what became of an exchange, once', () => {
  const { reporter, told } = recording()
  reporter.request({
    model: 'claude-x',
    max_tokens: 1,
    stream: true,
    messages: [{ role: 'user', content: 'secret words' }],
  })
  reporter.decoded([{ ...NOTE, code: 'of-request' }])
  reporter.target('route', { upstream: 'up', model: 'm' })
  reporter.encoded([{ ...NOTE, code: 'of-call' }], undefined)
  reporter.retried(new HubError('api_error', 'busy'), 1)
  reporter.began(200)
  reporter.done('answered', {
    summary: {
      toolCalls: 2,
      usage: undefined,
      stopReason: 'end_turn',
      isEstimated: false,
      outputEstimate: 0,
    },
    notes: [{ ...NOTE, code: 'of-answer' }],
  })
  reporter.done('failed')
  expect(told).toHaveLength(1)
  const [report, native] = told[0] as [ExchangeReport, string]
  expect(native).toBe('native')
  expect(report).toMatchObject({
    id: 'req_1',
    method: 'POST',
    path: '/v1/messages',
    agent: { kind: 'client', name: 'test/1' },
    outcome: 'answered',
    status: 200,
    stream: true,
    route: 'route',
    upstream: 'up',
    clientModel: 'claude-x',
    upstreamModel: 'm',
    stopReason: 'end_turn',
    toolCalls: 2,
    retries: 1,
    error: undefined,
  })
  expect(report.notes.map(({ code }) => code)).toEqual(['of-request', 'of-call', 'of-answer'])
  expect(report.firstByte).toBeGreaterThanOrEqual(0)
  expect(report.duration).toBeGreaterThanOrEqual(report.firstByte ?? 0)
  expect(JSON.stringify(report)).not.toContain('secret words')
})

test('the notes of a fallback take the place of those of the call that failed', () => {
  const { reporter, told } = recording()
  reporter.encoded([{ ...NOTE, code: 'first' }], undefined)
  reporter.encoded([{ ...NOTE, code: 'second' }], undefined)
  expect(reporter.noteCount).toBe(1)
  reporter.done('answered')
  expect(told[0]?.[0].notes.map(({ code }) => code)).toEqual(['second'])
})

test('an error is told with its kind and message only', () => {
  const { reporter, told } = recording()
  reporter.done('failed', { error: new HubError('api_error', 'broken', { cause: new Error('key') }) })
  expect(told[0]?.[0].error).toEqual({ kind: 'api_error', message: 'broken' })
})
