import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { playTape, type Tape, type TapedExchange } from '@hydra/tape'

import { expect, test } from 'vitest'
import { drive, type DriveOptions } from './drive.ts'
import { expectedExchange } from './expected-exchange.ts'
import { targetOf } from './target.ts'

interface Scene {
  readonly text: string
  readonly reply: readonly string[]
  readonly from?: number
  readonly to?: number
  readonly end?: 'clean' | 'client' | 'upstream' | 'interrupted'
}

function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`
}

function streamed(id: string, ...texts: readonly string[]): string[] {
  return [
    eventText('message_start', { message: { id, type: 'message' } }),
    ...texts.map((text) =>
      eventText('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    eventText('message_stop', {}),
  ]
}

function tapeOf(...scenes: readonly Scene[]): Tape {
  return {
    folder: 'by-hand',
    header: { tape: 1, tool: 'test/1', started: '2026-01-01T00:00:00.000Z', redaction: 'none' },
    exchanges: scenes.map(exchangeOf),
    problems: [],
  }
}

function exchangeOf({ text, reply, from, to, end = 'clean' }: Scene, index: number): TapedExchange {
  const at = (from ?? index * 10) * 1000
  const last = (to ?? index * 10 + 5) * 1000
  const number = index + 1
  const abort = end === 'client' || end === 'upstream' ? [{ by: end } as const] : []
  return {
    number,
    request: {
      method: 'POST',
      path: '/v1/messages?beta=true',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
      body: Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: text }] })),
      at,
    },
    calls: [],
    answer: {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      at,
      chunks: reply.map((piece) => ({ at: last, bytes: Buffer.from(piece) })),
      ended: end === 'clean' ? 'clean' : end === 'interrupted' ? 'open' : 'aborted',
    },
    notes: [],
    usage: undefined,
    moments: abort.map((data) => ({ at: last, leg: '', line: 1, event: [1, 0, number, '', 'abort', data] })),
    end: end === 'interrupted' ? undefined : { outcome: 'answered', hashes: {} },
  }
}

function options(url: string, more: Partial<DriveOptions> = {}): DriveOptions {
  return {
    target: new URL(url),
    headers: {},
    patience: 10_000,
    signal: new AbortController().signal,
    ...more,
  }
}

async function driven(recorded: Tape, actual: Tape) {
  const server = await playTape(actual, { leg: 'proxy' })
  const { exchanges } = await drive(recorded, options(server.origin))
  await server.stop()
  return { exchanges, server }
}

test('a server that answers as recorded has no difference, whatever its ids are', async () => {
  const recorded = tapeOf(
    { text: 'a', reply: streamed('msg_1', 'Hello', ' there') },
    { text: 'b', reply: streamed('msg_2', 'Bye') },
  )
  const actual = tapeOf(
    { text: 'a', reply: [streamed('msg_x', 'Hello', ' there').join('')] },
    { text: 'b', reply: streamed('msg_y', 'Bye') },
  )
  const { exchanges, server } = await driven(recorded, actual)
  expect(exchanges).toEqual([
    { number: 1, outcome: 'same' },
    { number: 2, outcome: 'same' },
  ])
  server.assertConsumed()
})

test('a server that differs in one event is told by exchange, event and path', async () => {
  const recorded = tapeOf(
    { text: 'a', reply: streamed('m', 'x') },
    { text: 'b', reply: streamed('m', 'one', 'two') },
  )
  const actual = tapeOf(
    { text: 'a', reply: streamed('m', 'x') },
    { text: 'b', reply: streamed('m', 'one', 'tow') },
  )
  const { exchanges } = await driven(recorded, actual)
  expect(exchanges).toEqual([
    { number: 1, outcome: 'same' },
    {
      number: 2,
      outcome: 'different',
      difference: { where: 'event 3 (content_block_delta) delta.text', expected: '"two"', actual: '"tow"' },
    },
  ])
})

test('an answer that is cut off where the recorded one was whole is a difference, also behind the last event', async () => {
  const reply = streamed('m', 'x')
  const { exchanges } = await driven(
    tapeOf({ text: 'a', reply }),
    tapeOf({ text: 'a', reply, end: 'upstream' }),
  )
  expect(exchanges).toMatchObject([
    { outcome: 'different', difference: { where: 'the end', expected: '"clean"' } },
  ])
  expect(exchanges[0]?.difference?.actual).toMatch(/^"cut off" \(.+\)$/)
})

test('an answer that was cut off is the same when it is cut off again', async () => {
  const tape = tapeOf({ text: 'a', reply: streamed('m', 'x').slice(0, 2), end: 'upstream' })
  expect((await driven(tape, tape)).exchanges).toEqual([{ number: 1, outcome: 'same' }])
})

test('a client that left leaves again after as many bytes, and the rest is not compared', async () => {
  const whole = streamed('m', 'one', 'two', 'three')
  let isGone = false
  const server = createServer((request, response) => {
    response.on('close', () => (isGone = true))
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(whole.slice(0, 3).join(''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const recorded = tapeOf({ text: 'a', reply: whole.slice(0, 2), end: 'client' })
  const { exchanges } = await drive(recorded, options(`http://127.0.0.1:${port}`))
  expect(exchanges).toEqual([
    { number: 1, outcome: 'same', reason: 'compared as far as it goes: its client left' },
  ])
  await expect.poll(() => isGone).toBe(true)
  server.close()
})

test('a recording that was interrupted is compared as far as it goes', async () => {
  const whole = streamed('m', 'one', 'two')
  const recorded = tapeOf({ text: 'a', reply: whole.slice(0, 2), end: 'interrupted' })
  const { exchanges } = await driven(recorded, tapeOf({ text: 'a', reply: whole }))
  expect(exchanges).toMatchObject([
    { outcome: 'same', reason: expect.stringContaining('interrupted') as string },
  ])
  const other = await driven(recorded, tapeOf({ text: 'a', reply: streamed('m', 'other') }))
  expect(other.exchanges).toMatchObject([{ outcome: 'different' }])
})

function scene(text: string, from: number, to: number): Scene {
  return { text, from, to, reply: streamed('m', text) }
}

test('requests that overlapped overlap again, and those that did not wait for each other', async () => {
  const seen: string[] = []
  const open = new Map<string, () => void>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      const [, name = ''] = /"content":"(\w+)"/.exec(text) ?? []
      seen.push(`${name} begins`)
      const finish = (): void => {
        seen.push(`${name} ends`)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(streamed('m', name).join(''))
      }
      // The first one is answered only once the second one has come: alone it would wait for ever.
      if (name === 'first') open.set(name, finish)
      else {
        finish()
        open.get('first')?.()
        open.delete('first')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const tape = tapeOf(scene('first', 0, 50), scene('second', 10, 20), scene('third', 60, 70))
  const { exchanges } = await drive(tape, options(`http://127.0.0.1:${port}`))
  server.close()
  expect(exchanges.map(({ outcome }) => outcome)).toEqual(['same', 'same', 'same'])
  expect(seen).toEqual([
    'first begins',
    'second begins',
    'second ends',
    'first ends',
    'third begins',
    'third ends',
  ])
})

test('a client goes on when it has read the last piece, whatever the proxy still does', () => {
  const [exchange] = tapeOf(scene('a', 0, 50)).exchanges
  const late = { at: 99_000, leg: '', line: 9, event: [9, 0, 1, '', 'mark', { text: 'done' }] } as const
  expect(exchange && expectedExchange({ ...exchange, moments: [late] })?.over).toBe(50_000)
})

test('a server that is not there, or says nothing, is a difference that says so', async () => {
  const tape = tapeOf({ text: 'a', reply: streamed('m', 'x') })
  const server = await playTape(tape, { leg: 'proxy' })
  await server.stop()
  const refused = await drive(tape, options(server.origin))
  expect(refused.exchanges[0]?.difference).toMatchObject({ where: 'status', expected: '200' })
  expect(refused.exchanges[0]?.difference?.actual).toContain('ECONNREFUSED')

  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { exchanges } = await drive(tape, options(`http://127.0.0.1:${port}`, { patience: 50 }))
  expect(exchanges[0]?.difference?.actual).toBe('nothing (nothing came for 0.05 seconds)')
  silent.close()
})

test('a run that is stopped reports what is known by then, and that it was stopped', async () => {
  const stop = new AbortController()
  const silent = createServer(() => stop.abort())
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const tape = tapeOf({ text: 'a', reply: ['x'] }, { text: 'b', reply: ['y'] })
  const result = await drive(tape, options(`http://127.0.0.1:${port}`, { signal: stop.signal }))
  expect(result).toEqual({
    isInterrupted: true,
    exchanges: [
      { number: 1, outcome: 'skipped', reason: 'it was stopped before its answer was complete' },
      { number: 2, outcome: 'skipped', reason: 'it was stopped before it was sent' },
    ],
  })
  silent.close()
})

test.each([
  ['somewhere', 'expected a URL such as'],
  ['ftp://127.0.0.1/', 'expected a URL such as'],
  ['http://10.0.0.1:80', '10.0.0.1 is not this machine'],
  ['http://127.0.0.1.example.com', '127.0.0.1.example.com is not this machine'],
])('%s is no target', (typed, reason) => {
  expect(() => targetOf(typed, { option: '--target', mayBeRemote: false })).toThrow(`--target: ${reason}`)
})

test('loopback is a target, and any other machine if that is asked for', () => {
  for (const url of ['http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/']) {
    expect(targetOf(url, { option: '--to', mayBeRemote: false }).href).toBe(url)
  }
  expect(targetOf('https://proxy.example/a', { option: '--to', mayBeRemote: true }).hostname).toBe(
    'proxy.example',
  )
})
