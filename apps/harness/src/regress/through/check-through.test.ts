import type { TapedExchange } from '@hydra/tape'
import { expect, test } from 'vitest'
import { abortLine, callOf, exchange, saying, tapeOf } from '../../../test/exchanges.ts'
import type { ExchangeResult } from '../regress-result.ts'
import { checkThrough } from './check-through.ts'

const FRAMEWORKS = ['express', 'fastify', 'hono'] as const
const cut = saying('Hello', ' there').slice(0, 2)

function outcomes(results: readonly ExchangeResult[]): unknown[] {
  return results.map(({ outcome, reason, findings }) => [
    outcome,
    reason ?? findings.map(({ message }) => message),
  ])
}

const FINE: Readonly<Record<string, TapedExchange>> = {
  'a stream': exchange(),
  'one body': { ...exchange({ request: { stream: false } }), calls: [whole()] },
  'an error status': exchange({
    status: 404,
    pieces: ['{"error":{"message":"no such model"}}'],
    headers: JSON_TYPE(),
  }),
  'an upstream that broke off': exchange({
    pieces: cut,
    ended: 'aborted',
    moments: [abortLine('upstream', 'upstream up: the connection broke (ECONNRESET)')],
  }),
  'a client that left': exchange({
    pieces: cut,
    ended: 'aborted',
    moments: [abortLine('client')],
    outcome: 'aborted',
  }),
  'an interrupted recording': exchange({ pieces: cut, ended: 'open', outcome: 'interrupted' }),
  'a second try': {
    ...exchange(),
    calls: [
      callOf({ status: 500, pieces: ['no'], headers: { 'retry-after': '60' } }),
      callOf({ pieces: saying('Second') }),
    ],
  },
  'a fallback': {
    ...exchange(),
    calls: [
      callOf({ status: 500, pieces: ['no'] }),
      callOf({ via: { upstream: 'other' }, pieces: saying('Second') }),
    ],
  },
}

function JSON_TYPE(): Record<string, string> {
  return { 'content-type': 'application/json' }
}

/** A call whose request asks for one body. */
function whole(): ReturnType<typeof callOf> {
  const message = { role: 'assistant', content: 'Hello' }
  const call = callOf({
    pieces: [JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })],
    headers: JSON_TYPE(),
  })
  const body = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }
  return { ...call, request: { ...call.request, body: Buffer.from(JSON.stringify(body)) } }
}

test.for(FRAMEWORKS.flatMap((framework) => Object.keys(FINE).map((name) => ({ framework, name }))))(
  '$name through $framework is what it is in memory',
  async ({ framework, name }) => {
    const taped = FINE[name] ?? exchange()
    const results = await checkThrough(tapeOf('tape', taped), framework)
    expect(outcomes(results)).toEqual([['same', []]])
  },
)

test('a silence that is on the tape is one again', async () => {
  const reason = 'upstream up: silent for too long'
  const taped = exchange({
    pieces: cut,
    ended: 'timeout',
    moments: [[1, 0, 1, 'u>', 'timeout', { reason }]],
    outcome: 'failed',
  })
  expect(outcomes(await checkThrough(tapeOf('tape', taped), 'express'))).toEqual([['same', []]])
})

test('a server that was shut down is not shut down again', async () => {
  const base = exchange({
    pieces: cut,
    ended: 'aborted',
    moments: [abortLine('proxy', 'the server is shutting down')],
    outcome: 'failed',
  })
  const [result] = await checkThrough(tapeOf('tape', base), 'express')
  expect([result?.outcome, result?.reason]).toEqual([
    'skipped',
    'the proxy itself gave up, which no server does again',
  ])
})

test('several exchanges are played in the order of the tape, and what cannot be is left out', async () => {
  const results = await checkThrough(
    tapeOf(
      'tape',
      exchange(),
      { ...exchange({ number: 2 }), calls: [] },
      exchange({ number: 3, request: { messages: [{ role: 'user', content: 'Other' }] } }),
    ),
    'express',
  )
  expect(results.map(({ outcome }) => outcome)).toEqual(['same', 'skipped', 'different'])
  // The recorded call says Hi, and not what the changed request says.
  expect(results[2]?.findings.map(({ about }) => about)).toContain('request')
})
