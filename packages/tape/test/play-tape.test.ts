import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import * as fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Tape } from '../src/format/tape.ts'
import { playTape, type PlayOptions } from '../src/play/play-tape.ts'
import { rawRequest } from './raw-client.ts'
import { EVENT_STREAM, tapeByHand, type TestAnswer } from './tape-by-hand.ts'

const ASK = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] }
const BODY = JSON.stringify(ASK)
const EVENTS = ['data: {"a":1}\n\n', 'data: {"b', '":2}\n\nda', 'ta: [DONE]\n\n']

function playing(answer: TestAnswer, options?: PlayOptions) {
  return playTape(tapeByHand({ body: ASK, answer }), options)
}

test('a recorded stream comes back byte for byte and chunk for chunk, with its status and headers', async () => {
  await using upstream = await playing({
    status: 201,
    headers: {
      ...EVENT_STREAM,
      'x-request-id': 'req_1',
      connection: 'upgrade',
      'transfer-encoding': 'chunked',
    },
    chunks: EVENTS,
  })
  const answer = await rawRequest(upstream.origin, { body: BODY })
  expect(answer.head).toMatch(/^HTTP\/1\.1 201 /)
  expect(answer.head).toContain('x-request-id: req_1')
  expect(answer.head).not.toMatch(/upgrade|date:/i)
  expect(answer.chunks).toEqual(EVENTS)
  expect(answer.isWhole).toBe(true)
})

test('any bytes in any chunks come back as they are', async () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(pieces, async (chunks) => {
      await using upstream = await playing({ status: 200, chunks })
      const answer = await rawRequest(upstream.origin, { body: BODY })
      expect(answer.chunks).toEqual(chunks.map((chunk) => Buffer.from(chunk).toString('latin1')))
      expect(answer.isWhole).toBe(true)
    }),
    { numRuns: 25 },
  )
})

test.each([
  ['events', ['data: {"a":1}\n\n', 'data: {"b":2}\n\n', 'data: [DONE]\n\n']],
  ['bytes', EVENTS.join('').split('')],
] as const)('rechunked by %s it is the same text in other chunks', async (rechunk, chunks) => {
  await using upstream = await playing({ status: 200, headers: EVENT_STREAM, chunks: EVENTS }, { rechunk })
  expect((await rawRequest(upstream.origin, { body: BODY })).chunks).toEqual(chunks)
})

test('rechunked at random it is the same for the same seed', async () => {
  const chunks = ['data: x\n\n'.repeat(50)]
  const runs = [1, 1, 2].map(async (random) => {
    await using upstream = await playing({ status: 200, chunks }, { rechunk: { random } })
    return (await rawRequest(upstream.origin, { body: BODY })).chunks
  })
  const [one, same, other] = await Promise.all(runs)
  expect(one?.join('')).toBe(chunks[0])
  expect(one).toEqual(same)
  expect(one).not.toEqual(other)
})

test('an error comes back with its status, its body and the time to wait, and a length that is true', async () => {
  await using upstream = await playing({
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '7', 'content-length': '11' },
    chunks: ['{"error":', '1}'],
  })
  const response = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: BODY })
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(response.headers.get('content-length')).toBe('11')
  expect(await response.text()).toBe('{"error":1}')
})

test('a length that is not that of the recorded bytes is not repeated', async () => {
  await using upstream = await playing({ status: 200, headers: { 'content-length': '99' }, chunks: ['four'] })
  const answer = await rawRequest(upstream.origin, { body: BODY })
  expect(answer.chunks).toEqual(['four'])
  expect(answer.isWhole).toBe(true)
})

test('empty bodies, HEAD and 204 are answered and end', async () => {
  const head = { method: 'HEAD', path: '/v1/models', body: '' }
  const tape = tapeByHand(
    { ...head, answer: { status: 200, headers: { 'content-length': '12' } } },
    { body: 'a', answer: { status: 204 } },
    { body: 'b', answer: { status: 200, headers: { 'content-length': '0' } } },
    { body: 'c', answer: { status: 200, chunks: ['', ''] } },
  )
  await using upstream = await playTape(tape)
  const answer = await rawRequest(upstream.origin, head)
  expect(answer.head).toContain('content-length: 12')
  expect(answer.rest).toBe('')
  expect((await rawRequest(upstream.origin, { body: 'a' })).rest).toBe('')
  expect((await rawRequest(upstream.origin, { body: 'b' })).rest).toBe('')
  expect(await rawRequest(upstream.origin, { body: 'c' })).toMatchObject({ chunks: [], isWhole: true })
})

test.each<[string, TestAnswer]>([
  ['whose recording was interrupted', { ended: 'open' }],
  ['that the upstream reset', { ended: 'aborted', abortedBy: 'upstream' }],
])('an answer %s ends in a reset after its bytes, never cleanly', async (_what, end) => {
  await using upstream = await playing({ status: 200, headers: EVENT_STREAM, chunks: EVENTS, ...end })
  const answer = await rawRequest(upstream.origin, { body: BODY })
  expect(answer.chunks).toEqual(EVENTS)
  expect(answer).toMatchObject({ isWhole: false, error: 'ECONNRESET' })
})

test('a call that never got an answer is reset without one', async () => {
  await using upstream = await playing({ ended: 'aborted', abortedBy: 'upstream' })
  expect(await rawRequest(upstream.origin, { body: BODY })).toMatchObject({ head: '', error: 'ECONNRESET' })
})

test.each<[string, TestAnswer]>([
  ['that its client did not want any more', { ended: 'aborted', abortedBy: 'client' }],
  ['that fell silent', { ended: 'timeout' }],
])('an answer %s stays open after its bytes', async (_what, end) => {
  const answer = { status: 200, headers: EVENT_STREAM, chunks: EVENTS, ...end }
  await using upstream = await playTape(
    tapeByHand({ body: ASK, answer }, { body: 'b', answer: { status: 204 } }),
  )
  const socket = connectTo(upstream.origin)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  )
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  await expect.poll(() => text).toContain('[DONE]')
  // Another request is answered meanwhile, so this one had its time to end.
  await rawRequest(upstream.origin, { body: 'b' })
  expect(text).not.toContain('\r\n0\r\n')
  expect(socket.closed).toBe(false)
  socket.destroy()
})

test('a call that timed out without an answer stays silent', async () => {
  const silent = { body: ASK, answer: { ended: 'timeout' as const } }
  await using upstream = await playTape(tapeByHand(silent, { body: 'b', answer: { status: 204 } }))
  const stop = new AbortController()
  const asked = fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: BODY, signal: stop.signal })
  await rawRequest(upstream.origin, { body: 'b' })
  stop.abort()
  await expect(asked).rejects.toThrow('abort')
  await expect.poll(() => upstream.unconsumed.length).toBe(0)
})

/** A tape with another route on each of its legs. */
function tapeOfTwoLegs(): Tape {
  const [exchange] = tapeByHand({ body: ASK, answer: { status: 500 } }).exchanges
  const [client] = tapeByHand({
    body: 'c',
    path: '/v1/messages',
    answer: { status: 200, chunks: ['for the client'] },
  }).exchanges
  return { ...tapeByHand(), exchanges: [{ ...client!, calls: exchange!.calls }] }
}

test('the proxy can be played as well as its upstreams', async () => {
  await using proxy = await playTape(tapeOfTwoLegs(), { leg: 'proxy' })
  expect(proxy.url).toBe(proxy.origin)
  const answer = await rawRequest(proxy.origin, { path: '/v1/messages', body: 'c' })
  expect(answer.chunks).toEqual(['for the client'])
})

test.each([
  ['upstream', '/v1/messages?beta=true', 'POST /messages', 'proxy'],
  ['proxy', '/v1/chat/completions', 'POST /chat/completions', 'upstream'],
] as const)(
  'who plays the %s and is asked for %s hears that the other leg has it',
  async (leg, path, route, other) => {
    const played = await playTape(tapeOfTwoLegs(), { leg })
    await rawRequest(played.origin, { path })
    await rawRequest(played.origin, { path: '/v1/nothing' })
    const [miss, unknown] = played.misses.map(({ explanation }) => explanation)
    expect(miss).toContain(`${route} is on its other leg: play that (leg: '${other}', or --as ${other})`)
    expect(unknown).toContain('the tape has no POST /v1/nothing, only')
    expect(unknown).not.toContain('other leg')
    await played.stop()
  },
)

test('a retry is played as it was recorded: the refusal first, then the answer', async () => {
  await using upstream = await playTape(
    tapeByHand(
      { body: ASK, answer: { status: 429, headers: { 'retry-after': '1' } } },
      { body: ASK, answer: { status: 200, chunks: ['yes'] } },
    ),
  )
  const ask = (): Promise<Response> =>
    fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: BODY })
  expect((await ask()).status).toBe(429)
  expect(await (await ask()).text()).toBe('yes')
})

test('the recorded gaps are kept, or as many times shorter as was asked for', async () => {
  await using upstream = await playing({ status: 200, chunks: ['a', 'b', 'c'], gap: 100 }, { speed: 4 })
  const start = performance.now()
  await rawRequest(upstream.origin, { body: BODY })
  // Only that it waited at all is asked for: a busy machine takes longer.
  expect(performance.now() - start).toBeGreaterThan(95)
})

test.each([
  ['/v1/chat/completions', { error: { type: 'invalid_request_error', code: 'not_on_tape' } }],
  ['/v1/messages?beta=true', { type: 'error', error: { type: 'invalid_request_error' } }],
])(
  'a miss on %s is refused in the words of its dialect, says why, and is remembered',
  async (path, shape) => {
    const upstream = await playTape(tapeByHand({ body: ASK, path, answer: { status: 200 } }))
    const other = { ...ASK, messages: [{ role: 'user', content: 'Hullo' }] }
    const response = await fetch(upstream.origin + path, { method: 'POST', body: JSON.stringify(other) })
    const body = (await response.json()) as { error: { message: string } }
    expect(response.status).toBe(418)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(body).toMatchObject(shape)
    expect(body.error.message).toContain('exchange 1 where messages[0].content is "Hello" and not "Hullo"')
    expect(upstream.misses).toMatchObject([
      { nearest: { exchange: 1 }, difference: { path: 'messages[0].content' } },
    ])
    await expect(upstream.close()).rejects.toThrow(body.error.message)
  },
)

test('a miss of a client of Responses is refused in its words, and its base URL has the version', async () => {
  const ask = { model: 'm', input: [{ role: 'user', content: 'Hello' }] }
  const path = '/v1/responses'
  const upstream = await playTape(tapeByHand({ body: ask, path, answer: { status: 200 } }))
  expect(upstream.url).toBe(`${upstream.origin}/v1`)
  const body = JSON.stringify({ ...ask, input: [{ role: 'user', content: 'Hullo' }] })
  const response = await fetch(`${upstream.url}/responses`, { method: 'POST', body })
  expect(await response.json()).toMatchObject({
    error: { type: 'invalid_request_error', code: 'not_on_tape' },
  })
  await upstream.stop()
})

test('a miss of a gateway has a status that it passes on, so that an agent behind it stops', async () => {
  const upstream = await playing({ status: 200 })
  const headers = { 'x-hydra-hops': 'a1b2' }
  const response = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: '{}', headers })
  expect(response.status).toBe(409)
  expect(response.headers.get('x-should-retry')).toBe('false')
  await upstream.stop()
})

test('what nobody asked for fails at the end, by its number, and the port is free all the same', async () => {
  const upstream = await playing({ status: 200 })
  expect(upstream.unconsumed).toMatchObject([{ exchange: 1, call: 1 }])
  await expect(upstream.close()).rejects.toThrow(
    'the tape by-hand was not played as recorded:\n- nobody asked for exchange 1: POST /v1/chat/completions',
  )
  await expect(fetch(upstream.origin)).rejects.toThrow('fetch failed')
})

test('a tape that cannot be played fails with its reason', async () => {
  const upstream = await playing({ status: 200, headers: { 'x-broken': 'a\r\nb' } })
  const answer = await rawRequest(upstream.origin, { body: BODY })
  expect(answer.rest).toContain('exchange 1 cannot be played: Invalid character in header')
  await expect(upstream.close()).rejects.toThrow('exchange 1 cannot be played')
})

test('a request that names another host is not answered', async () => {
  const upstream = await playing({ status: 200, chunks: ['secret'] })
  const socket = connectTo(upstream.origin)
  socket.write('GET /v1/models HTTP/1.1\r\nhost: page.example\r\nconnection: close\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toContain('HTTP/1.1 418 ')
  await expect(upstream.close()).rejects.toThrow('not of this machine')
})

test('a reader that pauses gets everything in the end', async () => {
  const chunk = 'x'.repeat(1 << 20)
  await using upstream = await playing({ status: 200, chunks: Array<string>(20).fill(chunk) })
  const response = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body: BODY })
  let length = 0
  for await (const piece of response.body ?? []) {
    if (length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
    length += piece.length
  }
  expect(length).toBe(20 << 20)
})

test('what a request differs in from the recording that answers it is told', async () => {
  await using upstream = await playing({ status: 200 })
  await rawRequest(upstream.origin, { body: JSON.stringify({ ...ASK, max_tokens: 5 }) })
  expect(upstream.requests).toMatchObject([
    { exchange: 1, by: 'conversation', difference: { path: 'max_tokens' } },
  ])
})

async function missing(): Promise<void> {
  await using upstream = await playing({ status: 200 })
  const body = JSON.stringify({ ...ASK, messages: [{ role: 'user', content: 'Bye' }] })
  const { status } = await fetch(`${upstream.url}/chat/completions`, { method: 'POST', body })
  throw new Error(`the client got ${status}`)
}

test('at the end of a block that failed with a miss, the miss is told apart from the errors of both', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => told.mockRestore())
  await expect(missing()).rejects.toMatchObject({
    error: { name: 'NotConsumed', stack: expect.not.stringContaining(' at ') as string },
    suppressed: { message: 'the client got 418' },
  })
  expect(told.mock.calls).toEqual([[expect.stringMatching(/^no recording answers .* not "Bye"$/)]])
})

function connectTo(origin: string): Socket {
  const { hostname, port } = new URL(origin)
  return connect(Number(port), hostname)
}

test.each(['HEAD /', 'HEAD /api/hello', 'GET /health', 'POST /api/event_logging/batch?x=1'])(
  '%s is no part of a conversation: it is answered, and is no miss',
  async (request) => {
    const [method = '', path = ''] = request.split(' ')
    const upstream = await playing({ status: 200, chunks: ['x'] }, { leg: 'proxy' })
    const answer = await fetch(upstream.origin + path, { method })
    expect(answer.status).toBe(200)
    expect(upstream.misses).toEqual([])
    expect(upstream.requests).toEqual([])
    await upstream.stop()
  },
)
