import { profiles } from '@hydra/core'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGateway } from '../gateway.ts'
import type { BodyListener, Transport } from '../upstream/transport.ts'
import type { Exchange, Responder } from './exchange.ts'
import type { ExchangeReport } from './report.ts'

const EVENT = new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n')
const LAST = new TextEncoder().encode(
  'data: {"choices":[{"index":0,"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
)

test.each([true, false])(
  'a client’s pause is not the upstream’s silence (passthrough: %s)',
  async (passthrough) => {
    const calls: string[] = []
    let listener: BodyListener | undefined
    const transport: Transport = {
      open: async () => ({
        status: 200,
        headers: {},
        listen: (listening) => (listener = listening),
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        abort: () => calls.push('abort'),
      }),
      close: async () => {},
    }
    const reply: Responder = {
      head() {},
      write: () => false,
      end() {},
      close() {},
      breakOff() {},
      listener: undefined,
      isGone: false,
    }
    const reports: ExchangeReport[] = []
    const gateway = createGateway({
      upstreams: { up: { dialect: 'openai-chat', url: 'http://x', profile: profiles.generic } },
      routes: [{ name: 'all', upstream: 'up', passthrough }],
      timeouts: { idle: 400 },
      onExchange: (report) => reports.push(report),
      transport,
    })
    const value = { model: 'm', max_tokens: 1, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const handled = gateway.handle(exchangeOf(reply, value))
    await expect.poll(() => listener).toBeDefined()
    listener?.data(EVENT)
    await handled
    expect(calls).toEqual(['pause'])
    await sleep(700)
    reply.listener?.drained()
    expect(calls).toEqual(['pause', 'resume'])
    // One look at the clock later the upstream has still not been silent for too long.
    await sleep(300)
    listener?.data(LAST)
    listener?.end()
    expect(reports[0]).toMatchObject({ outcome: 'answered', status: 200 })
    expect(gateway.active).toBe(0)
  },
)

function exchangeOf(reply: Responder, value: unknown): Exchange {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    query: '',
    headers: { 'content-type': 'application/json' },
    native: undefined,
    reply,
    readBody: async () => ({ value }),
  }
}
