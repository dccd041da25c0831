import { asText } from '../../src/sse/as-text.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HubError } from '../../src/hub/error.ts'
import type { HubResponse, HubStopReason } from '../../src/hub/message.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { unfold } from '../../src/stream/unfold.ts'
import { arbitraryAnswer } from '../streams/arbitrary-answer.ts'
import { hostileBody } from '../streams/hostile-body.ts'
import { pieces } from '../streams/pieces.ts'
import { toBytes } from '../streams/translator.ts'
import { readChunks, type ReadChunks } from './read-chunks.ts'
import { message, replyTo, streamed } from './told.ts'
import { chatClientTranslation, told } from './translator.ts'

const SPLITS = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })
const ASKED = fc.constantFrom<object>(
  {},
  { reasoning: { effort: 'low' } },
  { tools: null, functions: [{ name: 'Read' }] },
  { stream_options: null },
)

function wantsUsage(asked: object): boolean {
  return !('stream_options' in asked)
}

const TEXT = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const INPUT = fc
  .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((input) => JSON.parse(JSON.stringify(input)) as object)
const BLOCK = fc.oneof(
  TEXT.map((text) => ({ type: 'text', text, citations: null })),
  fc.record({ type: fc.constant('thinking'), thinking: TEXT, signature: fc.constantFrom('', 'proof') }),
  fc.constant({ type: 'redacted_thinking', data: 'x' }),
  fc.record({ type: fc.constant('tool_use'), name: fc.constantFrom('Read', 'Bash'), input: INPUT }),
  TEXT.map((input) => ({ type: 'tool_use', name: 'patch', input: { input } })),
)
const STOP = fc.constantFrom<HubStopReason>('end_turn', 'tool_use', 'max_tokens', 'refusal', 'stop_sequence')
const MESSAGE = fc.tuple(fc.array(BLOCK, { maxLength: 6 }), STOP).map(([blocks, stop]) =>
  message(
    blocks.map((block, index) => (block.type === 'tool_use' ? { ...block, id: `call_${index}` } : block)),
    stop,
  ),
)

/** What a stream adds up to, in the form of a whole answer. */
function summedUp(read: ReadChunks): object {
  return {
    content: read.text,
    reasoning_content: read.reasoning,
    reasoning_details: read.details,
    tool_calls: read.calls.map(({ id, type, name, input }) =>
      type === 'custom'
        ? { id, type, custom: { name, input } }
        : { id, type, function: { name, arguments: input } },
    ),
    function_call: read.functionCall && { name: read.functionCall.name, arguments: read.functionCall.input },
    finish_reason: read.finish,
    usage: read.usage,
  }
}

const NOTHING_SAID = {
  content: '',
  reasoning_content: '',
  reasoning_details: [],
  tool_calls: [],
  function_call: undefined,
}

function wholeOf(answer: HubResponse, asked: object): object {
  const { choices, usage } = openaiChat.client.encodeResponse(answer, replyTo(asked))
  const [choice] = choices
  return {
    ...NOTHING_SAID,
    ...Object.fromEntries(
      Object.entries(choice?.message ?? {}).filter(([key, value]) => key in NOTHING_SAID && value !== null),
    ),
    finish_reason: choice?.finish_reason,
    usage: wantsUsage(asked) ? usage : undefined,
  }
}

test('a whole answer is what its stream adds up to', () => {
  fc.assert(
    fc.property(MESSAGE, ASKED, (answer, asked) => {
      const read = readChunks(streamed(answer, replyTo(asked)), { usage: wantsUsage(asked) })
      expect(summedUp(read)).toEqual(wholeOf(answer, asked))
    }),
    { numRuns: 400 },
  )
})

test('a failure after any block is an error at the end, never a clean end', () => {
  fc.assert(
    fc.property(MESSAGE, (answer) => {
      const encoder = openaiChat.client.encodeStream(replyTo())
      // The end is told as a failure instead.
      const sink = new Proxy(encoder, {
        get: (target, key) =>
          key === 'messageStop'
            ? () => target.error(new HubError('api_error', 'it broke'))
            : (...args: unknown[]) => Reflect.apply(Reflect.get(target, key) as () => void, target, args),
      })
      unfold(answer, sink)
      const { error, finish } = readChunks(asText(encoder.take()), { usage: true })
      expect([error?.['message'], finish]).toEqual(['Overloaded: it broke', undefined])
    }),
  )
})

test('invariants 1 and 2: any split of an honest answer gives the same legal stream', () => {
  fc.assert(
    fc.property(arbitraryAnswer, SPLITS, ASKED, ({ body, blocks }, splits, asked) => {
      const bytes = toBytes(body)
      const setup = { upstream: 'openai-chat', asked }
      const whole = told(chatClientTranslation(setup), bytes)
      expect(told(chatClientTranslation(setup), ...pieces(bytes, splits))).toBe(whole)
      const read = readChunks(whole, { usage: wantsUsage(asked) })
      const text = blocks.map((block) => (block.type === 'text' ? block.content : '')).join('')
      expect([read.error, read.text]).toEqual([undefined, text])
      const calls = blocks.filter(({ type }) => type === 'tool_use').length
      expect(read.calls.length + (read.functionCall ? 1 : 0)).toBe(calls)
    }),
    { numRuns: 200 },
  )
})

test('invariants 1 to 3: a hostile body gives one legal end however it is split', () => {
  fc.assert(
    fc.property(
      hostileBody,
      SPLITS,
      fc.constantFrom('openai-chat', 'anthropic'),
      (bytes, splits, upstream) => {
        const whole = told(chatClientTranslation({ upstream }), bytes)
        expect(told(chatClientTranslation({ upstream }), ...pieces(bytes, splits))).toBe(whole)
        const { error, finish } = readChunks(whole, { usage: true })
        expect(error === undefined).toBe(finish !== undefined)
      },
    ),
    { numRuns: 300 },
  )
})

test('invariant 3: an honest answer that is cut before its end is never a clean end', () => {
  fc.assert(
    fc.property(MESSAGE, fc.double({ min: 0, max: 0.999, noNaN: true }), (answer, share) => {
      const body = toBytes(messagesEvents(answer))
      const end = body.length - toBytes('event: message_stop\ndata: {"type":"message_stop"}\n\n').length
      const cut = body.subarray(0, Math.floor(share * end))
      const { error } = readChunks(told(chatClientTranslation({ upstream: 'anthropic' }), cut), {
        usage: true,
      })
      expect(error).toBeDefined()
    }),
  )
})

function event(data: { type: string }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** The events that Anthropic would send. */
function messagesEvents(answer: HubResponse): string {
  const blocks = answer.content.flatMap((block, index) => [
    event({ type: 'content_block_start', index, content_block: block } as { type: string }),
    event({ type: 'content_block_stop', index } as { type: string }),
  ])
  const delta = { stop_reason: answer.stop_reason, stop_sequence: null }
  return [
    event({ type: 'message_start', message: { usage: answer.usage } } as { type: string }),
    ...blocks,
    event({ type: 'message_delta', delta, usage: answer.usage } as { type: string }),
    event({ type: 'message_stop' }),
  ].join('')
}
