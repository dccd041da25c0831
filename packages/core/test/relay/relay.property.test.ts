import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type {
  ClientDialect,
  ClientReply,
  Dialect,
  ReplyContext,
  UpstreamDialect,
} from '../../src/dialects/dialect.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { registry } from '../../src/dialects/registry.ts'
import { relayAnswer } from '../../src/exchange/relay.ts'
import type { Translation } from '../../src/exchange/translation.ts'
import { HubError } from '../../src/hub/error.ts'
import { stopFor } from '../../src/hub/message.ts'
import type { HubRequest } from '../../src/hub/request.ts'
import type { MessageSink } from '../../src/hub/sink.ts'
import { usageOf } from '../../src/hub/usage.ts'
import { MAX_EVENT_LENGTH } from '../../src/sse/parse.ts'
import { Collector } from '../../src/stream/collect.ts'
import { translateStream } from '../../src/stream/translate.ts'
import { pieces } from '../streams/pieces.ts'

const SEED = 20_261_118

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const bytesOf = (written: string | Uint8Array): Uint8Array =>
  typeof written === 'string' ? new TextEncoder().encode(written) : written

/** The dialects that a client and an upstream may both speak. */
const EQUAL = registry.all.filter(
  (dialect): dialect is Required<Dialect> => dialect.client !== undefined && dialect.upstream !== undefined,
)

interface Pair {
  readonly name: string
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
  readonly streamed: ClientReply
  readonly whole: ClientReply
  readonly reply: ReplyContext
}

const REQUEST: HubRequest = {
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ name: 'Read', input_schema: { type: 'object', properties: {} } }],
}

/** What both sides know of a request that our own encoder wrote. */
function pairOf({ name, client, upstream }: Required<Dialect>): Pair {
  const wire = (stream: boolean) =>
    upstream.encodeRequest({ ...REQUEST, stream }, { model: 'm', profile: upstream.defaultProfile })
  const decode = (stream: boolean): ClientReply => {
    const { path, body } = wire(stream)
    const known = { path, params: { model: 'm' }, query: { alt: 'sse' } }
    return client.decodeRequest(plainCall({ ...body, stream }, known)).reply
  }
  return { name, client, upstream, streamed: decode(true), whole: decode(false), reply: wire(true).reply }
}

const PAIRS = EQUAL.map(pairOf)

type Block =
  | { readonly type: 'text' | 'thinking'; readonly deltas: readonly string[] }
  | { readonly type: 'call'; readonly input: object }

const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 4,
})
const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'thinking' as const), deltas: words }),
  fc.record({ type: fc.constant('call' as const), input: fc.dictionary(fc.string(), fc.string()) }),
)
const blocks = fc.array(block, { minLength: 1, maxLength: 4 })

function tell(sink: MessageSink, answer: readonly Block[]): void {
  sink.messageStart({ id: 'msg_upstream', model: 'theirs', usage: usageOf({}) })
  for (const [index, one] of answer.entries()) {
    if (one.type === 'call') {
      sink.blockStart({ type: 'tool_use', id: `call_${index}`, name: 'Read' })
      sink.inputJson(JSON.stringify(one.input))
    } else {
      sink.blockStart({ type: one.type })
      for (const delta of one.deltas) sink[one.type](delta)
      if (one.type === 'thinking') sink.signature('c2lnbmVk')
    }
    sink.blockStop()
  }
}

const STOP = stopFor('end_turn')
const USAGE = usageOf({ input_tokens: 7, output_tokens: 3 })

function streamOf({ client, streamed }: Pair, answer: readonly Block[]): Uint8Array {
  const encoder = client.encodeStream(streamed)
  tell(encoder, answer)
  encoder.messageStop(STOP, USAGE)
  return bytesOf(encoder.take())
}

function relay({ client, upstream, reply, streamed }: Pair): Translation {
  return relayAnswer({ client, upstream, reply, clientReply: streamed, messageId: 'msg_ours' })
}

interface Passed {
  readonly out: string
  readonly failure: string | undefined
}

function pass(
  pair: Pair,
  bytes: Uint8Array,
  splits: readonly number[] = [],
): Passed & { answer: Translation } {
  const answer = relay(pair)
  let out = ''
  const decoder = new TextDecoder()
  for (const piece of pieces(bytes, splits))
    out += decoder.decode(bytesOf(answer.pushRaw(piece)), { stream: true })
  out += decoder.decode(bytesOf(answer.end()))
  return { out, failure: answer.failure?.message, answer }
}

const splitPlaces = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 })

test.each(PAIRS)('$name: an answer goes through byte for byte, however it is split', (pair) => {
  fc.assert(
    fc.property(blocks, splitPlaces, (answer, splits) => {
      const bytes = streamOf(pair, answer)
      const passed = pass(pair, bytes, splits)
      expect(passed.failure).toBeUndefined()
      expect(passed.out).toBe(text(bytes))
      expect(passed.answer.summary.usage).toBeDefined()
    }),
    { numRuns: 150, seed: SEED },
  )
})

test.each(PAIRS)(
  '$name: a cut at any byte is an end only where it would be one for the translator',
  (pair) => {
    const answer: Block[] = [
      { type: 'thinking', deltas: ['Hm, ', 'ü'] },
      { type: 'text', deltas: ['Hello ', 'wörld 🎉'] },
      { type: 'call', input: { path: 'a' } },
    ]
    const bytes = streamOf(pair, answer)
    const { client, upstream, reply, streamed } = pair
    let cuts = 0
    for (let end = 0; end < bytes.length; end += 1) {
      const start = bytes.subarray(0, end)
      const translator = translateStream({ client, upstream, reply, clientReply: streamed, messageId: 'm' })
      translator.push(start)
      translator.end()
      const passed = pass(pair, start)
      expect(passed.failure === undefined, `after ${end} bytes`).toBe(translator.failure === undefined)
      if (passed.failure === undefined) {
        // What came of the last event is there in full, with the blank line behind it, or not at all.
        expect(passed.out).toMatch(/\n\r?\n$/)
        const added = text(start).includes('data: [DONE]') ? '' : 'data: [DONE]\n\n'
        const shared = passed.out.replace(added, '').trimEnd()
        expect(text(start).startsWith(shared)).toBe(true)
        expect(
          text(start)
            .slice(shared.length)
            .trim()
            .split(/\n\r?\n/),
        ).toHaveLength(1)
        continue
      }
      cuts += 1
      // One byte at a time gives the same, and whole events come before the error.
      expect(
        pass(
          pair,
          start,
          Array.from({ length: 40 }, (_, index) => index / 40),
        ).out,
      ).toBe(passed.out)
      const at = text(start).lastIndexOf('\n\n')
      const complete = at === -1 ? '' : text(start).slice(0, at + 2)
      expect(passed.out.startsWith(complete)).toBe(true)
      // Nothing was sent yet where there was no event: the error can be a status.
      if (complete !== '') expect(passed.out.slice(complete.length)).toMatch(/error|fail/)
    }
    expect(cuts).toBeGreaterThan(bytes.length / 2)
  },
)

test.each(PAIRS)('$name: the upstream’s own error goes through, and nothing behind it', (pair) => {
  const encoder = pair.client.encodeStream(pair.streamed)
  tell(encoder, [{ type: 'text', deltas: ['Hello'] }])
  encoder.error(new HubError('overloaded_error', 'Overloaded: come back later'))
  const told = text(bytesOf(encoder.take()))
  // One dialect tells its errors once more behind the event, without an end of its own.
  const failing = bytesOf(/\n\r?\n$/.test(told) ? told : `${told}\r\n\r\n`)
  const rest = streamOf(pair, [{ type: 'text', deltas: ['more'] }])
  const bytes = new Uint8Array([...failing, ...rest])
  fc.assert(
    fc.property(splitPlaces, (splits) => {
      const passed = pass(pair, bytes, splits)
      expect(passed.failure).toContain('Overloaded')
      expect(passed.out).toBe(text(failing))
    }),
    { numRuns: 60, seed: SEED },
  )
})

test.each(PAIRS)('$name: an event that is broken is not passed on, and an error takes its place', (pair) => {
  const good = streamOf(pair, [{ type: 'text', deltas: ['Hello', ' there'] }])
  const events = text(good).split(/(?<=\n\n)/)
  const broken = [...events.slice(0, -2), 'data: {"type": oh\n\n', ...events.slice(-2)].join('')
  const whole = pass(pair, bytesOf(broken))
  expect(whole.failure).toBeDefined()
  expect(whole.out).not.toContain('oh\n')
  fc.assert(
    fc.property(splitPlaces, (splits) => {
      expect(pass(pair, bytesOf(broken), splits).out).toBe(whole.out)
    }),
    { numRuns: 60, seed: SEED },
  )
})

test.each(PAIRS)('$name: a whole answer goes through when it is complete, and else not at all', (pair) => {
  const collector = new Collector()
  tell(collector, [{ type: 'text', deltas: ['Hello'] }])
  collector.messageStop(STOP, USAGE)
  if (collector.message === undefined) throw new Error('expected a message')
  const bytes = bytesOf(JSON.stringify(pair.client.encodeResponse(collector.message, pair.whole), null, 1))
  const passed = pass(pair, bytes, [0.3, 0.6])
  expect(passed).toMatchObject({ out: text(bytes), failure: undefined })
  expect(passed.answer.summary.usage).toMatchObject({ input_tokens: 7, output_tokens: 3 })
  for (let end = 0; end < bytes.length; end += 1) {
    const cut = pass(pair, bytes.subarray(0, end))
    expect(cut.failure, `after ${end} bytes`).toBeDefined()
    expect(cut.out).toBe('')
  }
})

test.each(PAIRS)('$name: an answer that is too long to be read is passed on whole, and not cut', (pair) => {
  const whole = bytesOf(JSON.stringify({ long: 'x'.repeat(MAX_EVENT_LENGTH) }))
  const passed = pass(pair, whole)
  expect(passed.failure).toBeUndefined()
  expect(passed.out.length).toBe(whole.length)
  const cut = pass(pair, whole.subarray(0, -1))
  expect(cut.failure).toBeDefined()
  expect(cut.out).toBe('')
})

test.each(PAIRS)('$name: an answer in one body that is too long to be translated is a 502', (pair) => {
  const body = bytesOf(`{"long":"${'x'.repeat(MAX_EVENT_LENGTH)}`)
  const answer = translateStream({
    client: pair.client,
    clientReply: pair.streamed,
    upstream: pair.upstream,
    reply: pair.reply,
    messageId: 'msg_1',
  })
  answer.pushRaw(body)
  expect(answer.failure).toMatchObject({ kind: 'api_error', status: 502 })
})
