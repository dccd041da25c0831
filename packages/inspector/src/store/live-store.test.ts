import { Buffer } from 'node:buffer'
import { createRedaction } from '@hydra/tape'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChunkLog } from './chunk-log.ts'
import { KeptBytes } from './kept-bytes.ts'
import type { LiveExchange } from './live-exchange.ts'
import { LiveStore } from './live-store.ts'
import { ROOM, RoomPool } from './room-pool.ts'
import { tapedExchange } from './taped-exchange.ts'

const CLIENT = { name: 'a-client/1', session: 's' }
const REQUEST = { method: 'POST', path: '/v1/messages', headers: {}, dialect: 'anthropic' } as const

function bodyText(exchange: LiveExchange): string {
  return exchange.request === undefined ? '' : Buffer.from(exchange.bodyOf(exchange.request)).toString()
}

test('chunks come back as they came, text and bytes, whatever their length', () => {
  const log = new ChunkLog(new KeptBytes(new RoomPool()))
  const pieces = [
    '',
    'ä',
    'x'.repeat(5000),
    Buffer.from([0, 255]),
    '𝒙',
    'a',
    'half of a pair \ud835',
    '\udc99',
    Buffer.alloc(200_000, 7),
    'y'.repeat(40_000),
    'b',
    'end',
  ]
  for (const [at, piece] of pieces.entries()) log.add(at, piece)
  expect(log.chunks(10)).toHaveLength(2)
  expect(log.chunks().map(({ at, bytes }) => [at, Buffer.from(bytes)])).toEqual(
    pieces.map((piece, at) => [at, Buffer.from(piece)]),
  )
})

test('both legs of an exchange and its bodies lie among each other and come back apart', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.string({ unit: 'binary', maxLength: 600 }))), (pieces) => {
      const bytes = new KeptBytes(new RoomPool())
      const logs = [new ChunkLog(bytes), new ChunkLog(bytes)] as const
      const body = bytes.body('{"a":"ä"}')
      for (const [isText, text] of pieces) logs[isText ? 0 : 1].add(0, isText ? text : Buffer.from(text))
      for (const [index, log] of logs.entries()) {
        const own = pieces.filter(([isText]) => isText === (index === 0))
        expect(log.chunks().map((chunk) => Buffer.from(chunk.bytes).toString())).toEqual(
          own.map(([, text]) => Buffer.from(text).toString()),
        )
      }
      expect(bytes.read(body).toString()).toBe('{"a":"ä"}')
    }),
    { numRuns: 10 },
  )
})

test('many small chunks take little more memory than their bytes', () => {
  const bytes = new KeptBytes(new RoomPool())
  const log = new ChunkLog(bytes)
  for (let at = 0; at < 10_000; at += 1) log.add(at, 'data: {"a":1}\n\n')
  expect(bytes.size).toBeLessThan(10_000 * (15 + 6) + ROOM)
})

test('the oldest exchanges that are over go first, by count and by bytes', () => {
  const store = new LiveStore({ exchanges: 3, bytes: 100_000 })
  const running = store.begin(CLIENT)
  for (let count = 0; count < 5; count += 1) store.begin(CLIENT).done('answered')
  expect(store.size).toBe(3)
  expect(store.sessionOf(running)).toBeDefined()
  const before = store.begin(CLIENT)
  before.clientRequest(REQUEST, 'x'.repeat(24_000))
  before.upstreamRequest(REQUEST, 'x'.repeat(1000), { upstream: 'u', dialect: 'openai-chat' })
  before.done('answered')
  for (let count = 0; count < 3; count += 1) store.begin(CLIENT).clientRequest(REQUEST, 'x'.repeat(25_000))
  expect(store.bytes).toBeLessThanOrEqual(100_000)
  expect(store.sessionOf(before)).toBeUndefined()
})

test('an answer that goes on for ever is kept up to a part of the memory, and what was kept says so', () => {
  const store = new LiveStore({ bytes: 400_000 })
  const exchange = store.begin(CLIENT)
  exchange.clientRequest(REQUEST, '{}')
  for (let count = 0; count < 1000; count += 1) exchange.clientData('y'.repeat(999))
  exchange.done('answered')
  expect(store.bytes).toBeLessThan(200_000)
  const chunks = exchange.answer.log.chunks()
  expect(chunks).toHaveLength(1000)
  expect(chunks[0]?.bytes).toHaveLength(999)
  expect(chunks.at(-1)?.bytes).toHaveLength(0)
  expect(exchange.notes.map(({ code }) => code)).toEqual(['not_kept'])
})

test('an exchange that was forgotten while it was under way takes no memory of others', () => {
  const store = new LiveStore({ exchanges: 1 })
  const forgotten = store.begin(CLIENT)
  forgotten.clientRequest(REQUEST, 'first')
  const kept = store.begin(CLIENT)
  kept.clientRequest(REQUEST, 'second')
  const held = store.bytes
  forgotten.clientData('more')
  forgotten.done('answered')
  expect(store.bytes).toBe(held)
  expect(forgotten.answer.log.chunks()).toEqual([])
  expect(bodyText(kept)).toBe('second')
})

test('an exchange that has to go while it takes room for itself gives that back too', () => {
  const store = new LiveStore({ bytes: 100_000 })
  const oldest = store.begin(CLIENT)
  for (let count = 0; count < 3; count += 1) store.begin(CLIENT).clientData('y'.repeat(24_000))
  for (let count = 0; count < 3; count += 1) oldest.clientData('z'.repeat(8000))
  expect(store.sessionOf(oldest)).toBeUndefined()
  store.forgetAll()
  expect(store.bytes).toBe(0)
})

test('chunks that come from another process with times of their own keep them', () => {
  const begun = 1_700_000_000_000_000
  const exchange = new LiveStore().begin(CLIENT, { id: 'a', begun })
  const call = exchange.newAnswer()
  exchange.answer.log.add(begun + 5_000_000_000, 'last')
  call.log.add(begun, 'first')
  expect(exchange.answer.log.chunks().map(({ at }) => at - begun)).toEqual([5_000_000_000])
  expect(call.log.chunks().map(({ at }) => at - begun)).toEqual([0])
})

test('memory stays within its bounds over 50,000 exchanges', () => {
  const store = new LiveStore({ exchanges: 1000, bytes: 8 * 1024 * 1024 })
  for (let count = 0; count < 50_000; count += 1) {
    const exchange = store.begin({ name: 'c', session: `s${count % 5000}` })
    exchange.clientRequest(REQUEST, 'x'.repeat(2000))
    exchange.clientHead(200, {})
    exchange.clientData('y'.repeat(500))
    exchange.done('answered')
  }
  expect(store.size).toBeLessThanOrEqual(1000)
  expect(store.bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
  expect([...store.sessions].length).toBeLessThanOrEqual(1000)
})

test('what the sender does with its bytes afterwards changes nothing', () => {
  const store = new LiveStore()
  const exchange = store.begin(CLIENT)
  const body = Buffer.from('{"a":1}')
  exchange.clientRequest(REQUEST, body)
  body.fill(0)
  expect(bodyText(exchange)).toBe('{"a":1}')
})

test('no secret is in what is shown, in whatever pieces it came', () => {
  const secret = 'sk-canary-0123456789abcdef0123'
  const store = new LiveStore()
  const exchange = store.begin(CLIENT)
  const headers = { authorization: `Bearer ${secret}`, 'x-api-key': secret, 'user-agent': 'a-client/1' }
  exchange.clientRequest(
    { ...REQUEST, path: `/v1/messages?key=${secret}`, headers },
    JSON.stringify({ text: secret }),
  )
  exchange.upstreamRequest({ ...REQUEST, headers }, JSON.stringify({ text: secret }), {
    upstream: 'u',
    dialect: 'openai-chat',
  })
  exchange.upstreamHead(200, { 'set-cookie': secret })
  for (const piece of [secret.slice(0, 9), secret.slice(9)]) {
    exchange.upstreamData(Buffer.from(`data: {"t":"${piece}"}\n\n`))
    exchange.clientData(`data: {"t":"${piece}"}\n\n`)
  }
  exchange.abort('upstream', `refused ${secret}`)
  exchange.note({ code: 'a', path: '', message: secret })
  exchange.done('failed')
  const taped = tapedExchange(exchange, createRedaction({ secrets: [secret] }).forTape())
  const text = JSON.stringify(taped, (_key, value: unknown) =>
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer')
      ? Buffer.from(value as Uint8Array).toString()
      : value,
  )
  expect(text).not.toContain(secret)
  expect(text).not.toContain(secret.slice(9))
  expect(text).toContain('a-client/1')
})

test('a head that is sent because of a piece is not later than what is sent of that piece', () => {
  let time = 0
  const exchange = new LiveStore({}, () => (time += 1)).begin(CLIENT)
  exchange.upstreamRequest(REQUEST, '{}', { upstream: 'u', dialect: 'openai-chat' })
  exchange.upstreamHead(200, {})
  exchange.upstreamData(Buffer.from('data: 1\n\n'))
  exchange.clientHead(200, {})
  exchange.clientData('data: 1\n\n')
  exchange.upstreamHandled()
  expect(exchange.answer.at).toBe(exchange.answer.log.chunks()[0]?.at)
})
