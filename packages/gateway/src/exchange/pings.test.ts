import { profiles } from '@hydra/core'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createGateway } from '../gateway.ts'
import type { BodyListener, Transport } from '../upstream/transport.ts'
import { Watchdog } from '../watchdog.ts'
import type { Exchange, Responder } from './exchange.ts'

const EVENTS = [
  ...['Guten', ' Tag', ', 🐉', ' hier', '\\n"ist"', ' Hydra'].map((text) => chunk({ content: text })),
  chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'Read', arguments: '{"a":' } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"ü"}' } }] }),
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
  'data: [DONE]\n\n',
]
const BYTES = new TextEncoder().encode(EVENTS.join(''))
/** From here on the answer is finished. */
const FINISH = new TextEncoder().encode(EVENTS.slice(0, -2).join('')).length

function chunk(delta: object): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`
}

const ENDPOINTS = {
  '/v1/messages': { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/chat/completions': { messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { input: 'Hi' },
}

/** What the watchdog looks after, the last of it the answer. */
const watching = vi.spyOn(Watchdog.prototype, 'watch')

/** What the client is sent when the upstream's bytes come in these pieces, and what of it are signs of life. */
async function streamed(path: keyof typeof ENDPOINTS, cuts: readonly number[], pings: readonly boolean[]) {
  const listening = Promise.withResolvers<BodyListener>()
  let text = ''
  const decoder = new TextDecoder()
  const transport: Transport = {
    open: async () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      listen: (listener) => listening.resolve(listener),
      pause() {},
      resume() {},
      abort() {},
    }),
    close: async () => {},
  }
  const write = (piece: string | Uint8Array): boolean => {
    text += typeof piece === 'string' ? piece : decoder.decode(piece)
    return true
  }
  const reply: Responder = {
    head() {},
    write,
    end: (piece = '') => void write(piece),
    close: (piece = '') => void write(piece),
    breakOff: (piece) => void write(piece),
    listener: undefined,
    isGone: false,
  }
  const gateway = createGateway({
    upstreams: { up: { dialect: 'openai-chat', url: 'http://x', profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'up' }],
    timeouts: { keepAlive: 1, idle: 1e9, firstByte: 1e9 },
    newId: () => 'id',
    transport,
  })
  const exchange: Exchange = {
    method: 'POST',
    path,
    query: '',
    headers: { 'content-type': 'application/json' },
    native: undefined,
    reply,
    readBody: async () => ({ value: { model: 'm', stream: true, ...ENDPOINTS[path] } }),
  }
  const handled = gateway.handle(exchange)
  const listener = await listening.promise
  const places = [...new Set([0, ...cuts.map((cut) => cut % BYTES.length), BYTES.length])].toSorted(
    (a, b) => a - b,
  )
  for (const [index, place] of places.slice(1).entries()) {
    listener.data(BYTES.subarray(places[index], place))
    // Behind the finish nothing more is waited for.
    if (place < FINISH && pings[index % pings.length] === true) watching.mock.lastCall?.[0].expired(0)
  }
  listener.end()
  await handled
  await gateway.close()
  // Some dialects tell the second in which the request came.
  return text.replaceAll(/"(created|created_at)":\d+/g, '"$1":0')
}

const SIGNS = /event: ping\ndata: \{"type": ?"ping"\}\n\n|: ping\n\n|event: keepalive\ndata: [^\n]*\n\n/g

test.each(Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[])(
  'a sign of life stands between two events and never in one: %s',
  async (path) => {
    const plain = await streamed(path, [], [false])
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: BYTES.length }), { maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        async (cuts, pings) => {
          const text = await streamed(path, cuts, pings)
          expect(text.replaceAll(SIGNS, '')).toBe(plain)
        },
      ),
      { numRuns: 350 },
    )
  },
)

test('signs of life are really sent in these tests', async () => {
  expect(await streamed('/v1/messages', [150, 300], [true])).toMatch(SIGNS)
})
