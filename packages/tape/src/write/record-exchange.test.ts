import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { callEvent, eventFrame, textEvent } from '../../../core/test/amazon-q/frames.ts'
import { ADDRESS, PLAIN_SECRET } from '../../test/canaries.ts'
import { framePayloads } from '../../test/frame-payloads.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { TapedChunk, TapedExchange } from '../format/tape.ts'
import { readTape } from '../read/read-tape.ts'
import { scanTape } from '../read/scan-tape.ts'
import { verifyTape } from '../read/verify-tape.ts'
import { createRedaction } from '../redact/redaction.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { ExchangeWriter } from './exchange-writer.ts'
import { createTape } from './create-tape.ts'
import { recordExchange } from './record-exchange.ts'
import type { ExchangeRecorder } from './traffic.ts'

const REDACTION = createRedaction({ secrets: [PLAIN_SECRET] })
const STARTED = Date.UTC(2026, 0, 2) * 1000
const REQUEST = { method: 'POST', path: '/v1/messages', headers: {} }
const HEADER = { tool: 'test/1', client: 'test/1', redaction: 'default-1' }

/** What happens in an exchange: a chunk of words on one or both legs, or the moment in which what waits is worked on. */
type Step = { readonly upstream?: Words; readonly client?: Words } | 'due'
type Words = string | readonly string[]

/** Some words stand in another frame than the others. */
function chatEvent(content: string): string {
  return `data: {"id":"${content.startsWith(' ') ? 'a' : 'b'}","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}\n\n`
}

function messagesEvent(text: string): string {
  const delta = { type: 'text_delta', text }
  return `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta })}\n\n`
}

function chatChunk(words: Words): string {
  return [words].flat().map(chatEvent).join('')
}

function messagesChunk(words: Words): string {
  return [words].flat().map(messagesEvent).join('')
}

/** An exchange whose answers have begun. What is recorded of it waits until it is worked on. */
function begin(
  folder: string,
  dialect?: string,
): {
  exchange: ExchangeRecorder
  queue: ChunkQueue
  lines: () => number
  close: () => void
} {
  let time = STARTED
  const writer = createTape({ folder, header: HEADER, started: STARTED, gather: 60_000 })
  const queue = new ChunkQueue(60_000, () => undefined)
  const exchange = recordExchange({
    writer: new ExchangeWriter(writer),
    redaction: REDACTION.forTape(),
    now: () => (time += 10),
    queue,
    onDone: () => undefined,
  })
  exchange.clientRequest(dialect === undefined ? REQUEST : { ...REQUEST, dialect }, '{}')
  exchange.upstreamRequest(REQUEST, '{}', { upstream: 'up', dialect: 'openai-chat' })
  exchange.upstreamHead(200, {})
  exchange.clientHead(200, {})
  return { exchange, queue, lines: () => writer.lastLine, close: () => writer.close() }
}

/** Records an exchange with given moments in which what waits is worked on. */
function record(folder: string, steps: readonly Step[]): TapedExchange {
  const { exchange, queue, close } = begin(folder)
  for (const step of steps) {
    if (step === 'due') queue.drain(true)
    else {
      if (step.upstream !== undefined) exchange.upstreamData(Buffer.from(chatChunk(step.upstream)))
      if (step.client !== undefined) exchange.clientData(messagesChunk(step.client))
    }
  }
  exchange.upstreamEnd()
  exchange.clientEnd()
  exchange.done('answered')
  close()
  const tape = readTape(folder)
  expect(verifyTape(tape)).toEqual([])
  const [taped] = tape.exchanges
  if (taped === undefined) throw new Error('expected an exchange')
  return taped
}

/** Which of two secrets was found first is another matter, and a mark may lie in several chunks. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/\d/g, '0')
}

/** What is written of the chunks of one leg, each pushed as soon as it came. */
function written(chunks: readonly string[]): readonly string[] {
  const stream = REDACTION.forTape().stream()
  const pieces = chunks.map((chunk) => stream.push(Buffer.from(chunk).toString('latin1')))
  stream.end()
  return pieces.map(({ text }) => withoutNumbers(text))
}

function textsOf(chunks: readonly TapedChunk[]): readonly string[] {
  return chunks.map(({ bytes }) => withoutNumbers(Buffer.from(bytes).toString('latin1')))
}

test('whenever chunks are worked on, each is on the tape in its place, with its time and without secrets', () => {
  const word = fc.constantFrom(
    ' word',
    ' other',
    'word',
    '',
    ' ',
    ', ',
    '\\',
    '"',
    'ü',
    'sk-',
    // A key if the `n` belongs to an escape, as it may behind a backslash.
    'nsk-abcdefghijklmnop1234, ',
    PLAIN_SECRET,
    PLAIN_SECRET.slice(0, 6),
    PLAIN_SECRET.slice(6),
    `${PLAIN_SECRET}, `,
  )
  const words = fc.oneof(
    { weight: 4, arbitrary: word.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(word, { minLength: 2, maxLength: 3 }) },
  )
  const both = words.map((each): Step => ({ upstream: each, client: each }))
  const step = fc.oneof(
    { weight: 6, arbitrary: both },
    { weight: 2, arbitrary: fc.constant<Step>('due') },
    { weight: 1, arbitrary: words.map((upstream): Step => ({ upstream })) },
    { weight: 1, arbitrary: words.map((client): Step => ({ client })) },
  )
  const root = temporaryFolder()
  let run = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      run += 1
      const { calls, answer, moments } = record(join(root, String(run)), steps)
      const chunks = steps.filter((each) => each !== 'due')
      const upstream = chunks.flatMap((each) => (each.upstream === undefined ? [] : chatChunk(each.upstream)))
      const client = chunks.flatMap((each) => (each.client === undefined ? [] : messagesChunk(each.client)))
      expect(textsOf(calls[0]?.answer.chunks ?? [])).toEqual(written(upstream))
      expect(textsOf(answer.chunks)).toEqual(written(client))
      // The clock goes on by ten with each thing that happens: none is out of its order, and none has another's time.
      const times = moments.map(({ at }) => at)
      expect(times).toEqual(times.map((_, index) => 10 * (index + 1)))
    }),
    { numRuns: 400 },
  )
})

test('events in one frame after the other are each written in their own', () => {
  const words = [' one', ' two', ' three', 'four, ', 'five, ', 'six, ', ' seven', ' eight', ' nine']
  const { calls } = record(
    join(temporaryFolder(), 'tape'),
    words.flatMap((upstream): Step[] => [{ upstream }, 'due']),
  )
  const chunks = textsOf(calls[0]?.answer.chunks ?? [])
  expect(chunks).toEqual(words.map((word) => withoutNumbers(chatEvent(word))))
})

test('what stands around the words is written once and not with every event', () => {
  const folder = join(temporaryFolder(), 'tape')
  const words = Array.from({ length: 200 }, (_, index) => ` ${index}`)
  const both = words.map((word): Step => ({ upstream: word, client: word }))
  const { calls, answer } = record(
    folder,
    both.flatMap((step, index) => (index % 50 === 10 ? [step, 'due'] : [step])),
  )
  expect(Buffer.concat((calls[0]?.answer.chunks ?? []).map(({ bytes }) => bytes)).toString()).toBe(
    words.map(chatEvent).join(''),
  )
  expect(answer.chunks).toHaveLength(200)
  const lines = readFileSync(join(folder, 'tape.jsonl'), 'utf8')
  expect(lines.match(/choices/g)?.length).toBeLessThan(5)
  expect(lines.match(/content_block_delta/g)?.length).toBeLessThan(10)
})

test('a private key that goes on for longer than anything waits is covered to its end', () => {
  const lines = Array.from({ length: 400 }, (_, index) => `${'MIIEvQ'.repeat(8)}${1000 + index}\n`)
  const words = ['-----BEGIN PRIVATE KEY-----\n', ...lines, '-----END PRIVATE KEY-----\n', ' and', ' more']
  const { calls } = record(
    join(temporaryFolder(), 'tape'),
    ['Here', ' it is:\n', ...words].flatMap((upstream): Step[] => [{ upstream }, 'due']),
  )
  const text = textsOf(calls[0]?.answer.chunks ?? []).join('')
  expect(text).not.toContain('MIIEvQ')
  expect(text).toContain(' and')
})

test('a key behind a backslash is covered, also if events without words stand between the two', () => {
  const words = ['one', 'two', '\\', '', '', 'nsk-abcdefghijklmnop1234, ', 'three']
  const { calls } = record(
    join(temporaryFolder(), 'tape'),
    words.flatMap((upstream): Step[] => [{ upstream }, 'due']),
  )
  expect(textsOf(calls[0]?.answer.chunks ?? []).join('')).not.toContain('sk-abc')
})

test('an event whose word may go on is written when the next one or the end decides', () => {
  const { exchange, queue, lines, close } = begin(join(temporaryFolder(), 'tape'))
  const writtenAfter = (chunk: string): number => {
    const before = lines()
    exchange.upstreamData(Buffer.from(chunk))
    queue.drain(true)
    return lines() - before
  }
  const words = ['one, ', 'two, ', 'three', ', four', ', ']
  expect(words.map((word) => writtenAfter(chatEvent(word)))).toEqual([1, 1, 0, 1, 2])
  expect(writtenAfter(chatEvent('five'))).toBe(0)
  const before = lines()
  exchange.upstreamEnd()
  expect(lines() - before).toBe(2)
  exchange.done('answered')
  close()
})

test('binary frames with secrets are on the tape as frames that can be read, and without the secrets', () => {
  const folder = join(temporaryFolder(), 'tape')
  const { exchange, queue, close } = begin(folder)
  const events = [
    textEvent(`Write to ${ADDRESS}, `),
    callEvent('t_1', { input: `{"key":"${PLAIN_SECRET.slice(0, 8)}` }),
    callEvent('t_1', { input: `${PLAIN_SECRET.slice(8)}"}` }),
  ]
  const bytes = Buffer.concat(events.map(eventFrame))
  for (let at = 0; at < bytes.length; at += 50) {
    exchange.upstreamData(bytes.subarray(at, at + 50))
    queue.drain(true)
  }
  exchange.upstreamEnd()
  exchange.done('answered')
  close()
  const tape = readTape(folder)
  expect(verifyTape(tape)).toEqual([])
  expect(scanTape(folder, REDACTION)).toEqual([])
  const chunks = tape.exchanges[0]?.calls[0]?.answer.chunks ?? []
  const payloads = framePayloads(Buffer.concat(chunks.map((chunk) => chunk.bytes)))
  expect(payloads[0]).toMatch(/Write to ~E\d-*~, /)
  const inputs = payloads.slice(1).map((payload) => (JSON.parse(payload) as { input: string }).input)
  expect(inputs.join('')).toMatch(/^\{"key":"~K\d-*~"\}$/)
})

test('the dialect that the client speaks is on the line of its request, and only there', () => {
  const folder = join(temporaryFolder(), 'tape')
  const { exchange, close } = begin(folder, 'toy')
  exchange.done('answered')
  close()
  const [taped] = readTape(folder).exchanges
  expect(taped?.request?.dialect).toBe('toy')
  expect(taped?.calls[0]?.request.dialect).toBeUndefined()
})

function endOf(...done: Parameters<ExchangeRecorder['done']>): unknown {
  const folder = join(temporaryFolder(), 'tape')
  const { exchange, close } = begin(folder)
  exchange.done(...done)
  close()
  const tape = readTape(folder)
  expect(verifyTape(tape)).toEqual([])
  return tape.exchanges[0]?.end?.cost
}

test('what an exchange cost is at its end, without secrets, and absent where nobody knows prices', () => {
  expect(endOf('answered', { usd: 0.0125, savedByCache: -0.5 })).toEqual({ usd: 0.0125, savedByCache: -0.5 })
  expect(endOf('failed', { unknown: `no price for ${PLAIN_SECRET}` })).toEqual({
    unknown: expect.not.stringContaining(PLAIN_SECRET) as string,
  })
  expect(endOf('answered')).toBeUndefined()
})
