import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { createGateway } from '../gateway.ts'
import type { ExchangeTape, TrafficRecorder } from '../taping/traffic.ts'
import type { BodyListener, Transport } from '../upstream/transport.ts'
import type { Exchange, ReplyListener, Responder } from './exchange.ts'
import type { ExchangeReport } from './report.ts'

const EVENT = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n')

/** An exchange whose client and upstream do what a test says, with all that was heard of it. */
function begin(isTaped: boolean) {
  const heard: string[] = []
  const listeners: (ReplyListener | undefined)[] = []
  const upstream = Promise.withResolvers<BodyListener>()
  const transport: Transport = {
    open: async () => ({
      status: 200,
      headers: {},
      listen: (listener) => upstream.resolve(listener),
      pause() {},
      resume() {},
      abort: () => heard.push('upstream aborted'),
    }),
    close: async () => {},
  }
  const reply: Responder = {
    head: (status) => heard.push(`head ${status}`),
    write: () => true,
    end() {},
    close() {},
    breakOff() {},
    get listener() {
      return listeners.at(-1)
    },
    set listener(listener) {
      listeners.push(listener)
    },
    isGone: false,
  }
  const tape = new Proxy({} as ExchangeTape, {
    get: (_target, method) => (by: unknown) => method === 'abort' && heard.push(`tape: ${String(by)} gone`),
  })
  const traffic: TrafficRecorder = { begin: () => tape }
  const up = { dialect: 'openai-chat', url: 'http://x', profile: profiles.generic } as const
  const gateway = createGateway({
    upstreams: { up, other: up },
    routes: [{ name: 'all', upstream: 'up', fallbacks: [{ upstream: 'other' }] }],
    onExchange: ({ outcome }: ExchangeReport) => heard.push(outcome),
    transport,
    ...(isTaped && { traffic }),
  })
  const value = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const exchange: Exchange = {
    method: 'POST',
    path: '/v1/chat/completions',
    query: '',
    headers: { 'content-type': 'application/json' },
    native: undefined,
    reply,
    readBody: async () => ({ value }),
  }
  return { handled: gateway.handle(exchange), upstream: upstream.promise, listeners, heard, gateway }
}

test.each([false, true])(
  'a client has one listener from its request to its end (taped: %s)',
  async (isTaped) => {
    const { handled, upstream, listeners, heard, gateway } = begin(isTaped)
    const answer = await upstream
    answer.data(EVENT)
    await handled
    expect(listeners).toHaveLength(1)
    listeners[0]?.gone()
    const taped = isTaped ? ['tape: client gone'] : []
    expect(heard).toEqual(['head 200', ...taped, 'aborted', 'upstream aborted'])
    expect(gateway.active).toBe(0)
  },
)

test.each([false, true])(
  'a client that goes before the first byte gets no fallback (taped: %s)',
  async (isTaped) => {
    const { handled, upstream, listeners, heard, gateway } = begin(isTaped)
    await upstream
    listeners[0]?.gone()
    await handled
    const taped = isTaped ? ['tape: client gone'] : []
    expect(heard).toEqual([...taped, 'upstream aborted', 'aborted'])
    expect(gateway.active).toBe(0)
  },
)
