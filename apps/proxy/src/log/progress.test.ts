import { HubError, profiles } from '@hydra/core'
import type { ExchangeObserver, ExchangeReport, ObservedTarget } from '@hydra/gateway'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readSettings } from '../settings/read-settings.ts'
import { createLog } from './log.ts'

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 0, 2, 12, 34, 56) }))
afterEach(() => void vi.useRealTimers())

const AGENT = { kind: 'client', name: 'claude-cli/2', session: '0123456789' } as const
const FIRST: ObservedTarget = {
  route: 'all',
  upstream: 'first',
  model: 'a',
  dialect: 'openai-chat',
  url: 'http://127.0.0.1:9',
  profile: profiles.generic,
}
const BUSY = new HubError('overloaded_error', 'upstream first: busy\nforged')
const FAILURE = { upstream: 'first', model: 'a', error: BUSY, duration: 5 }

async function begun(log: string): Promise<{ exchange: ExchangeObserver | undefined; lines: string[] }> {
  const settings = await readSettings({ log }, { HOME: '/nonexistent' })
  const lines: string[] = []
  const { observer } = createLog(settings, (text) => lines.push(text.trimEnd()))
  const head = { id: 'req_1', method: 'POST', path: '/v1/messages', headers: {}, client: 'x', agent: AGENT }
  return { exchange: observer?.begin(head), lines }
}

const MODEL = { model: 'claude-x' } as Parameters<NonNullable<ExchangeObserver['request']>>[0]

test('a request that waits for two seconds is in the log, once, with what it waits for', async () => {
  const { exchange, lines } = await begun('pretty')
  exchange?.request?.(MODEL)
  exchange?.target?.(FIRST)
  vi.advanceTimersByTime(1999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual(['12:34:58  claude-cli/2 01234567  claude-x → first a  waiting: no answer for 2.00s'])
})

test.each(['an answer', 'an end'])('%s in time leaves nothing to say', async (what) => {
  const { exchange, lines } = await begun('pretty')
  vi.advanceTimersByTime(1900)
  if (what === 'an answer') exchange?.began?.(200)
  else exchange?.done({} as ExchangeReport)
  vi.advanceTimersByTime(60_000)
  expect(lines).toEqual([])
})

test('retries and fallbacks are in the log as they happen, and stay in their line', async () => {
  const { exchange, lines } = await begun('pretty')
  exchange?.request?.(MODEL)
  exchange?.target?.(FIRST)
  exchange?.failed?.({ ...FAILURE, pause: 500 })
  expect(lines).toEqual([
    expect.stringMatching(/ {2}retry in 0\.50s: overloaded_error: upstream first: busy forged$/) as string,
  ])
  exchange?.failed?.(FAILURE)
  expect(lines).toHaveLength(1)
  exchange?.target?.({ ...FIRST, upstream: 'other', model: 'b' })
  expect(lines[1]).toContain('claude-x → first a  falls back to other b: overloaded_error: ')
})

test('in JSON each is a line with what is known', async () => {
  const { exchange, lines } = await begun('json')
  exchange?.request?.(MODEL)
  exchange?.target?.(FIRST)
  exchange?.failed?.({ ...FAILURE, pause: 500 })
  exchange?.target?.({ ...FIRST, upstream: 'other' })
  vi.advanceTimersByTime(2000)
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'retry', id: 'req_1', upstream: 'first', pause: 500, error: { kind: 'overloaded_error' } },
    { msg: 'fallback', upstream: 'first', to: { upstream: 'other', model: 'a' } },
    { msg: 'waiting', clientModel: 'claude-x', upstream: 'other', milliseconds: 2000 },
  ])
})

test('a silent log follows nothing', async () => {
  expect((await begun('silent')).exchange).toBeUndefined()
})
