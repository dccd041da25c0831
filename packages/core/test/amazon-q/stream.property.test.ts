import { clientWords } from '../streams/client-words.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HubError } from '../../src/hub/error.ts'
import { readStream } from '../streams/grammar.ts'
import { meant, pieces } from '../streams/pieces.ts'
import { translate } from '../streams/translator.ts'
import { meantAnswer } from './arbitrary-events.ts'
import {
  bodyOf,
  callEvent,
  endEvent,
  eventFrame,
  exceptionFrame,
  frame,
  joinedBytes,
  textEvent,
} from './frames.ts'
import { type TurnSetup, turnTranslator } from './translator.ts'

const SEED = 20_261_116
/** Where to split or cut, as shares of the length. */
const SHARE = fc.double({ min: 0, max: 1, noNaN: true })
const SPLITS = fc.array(SHARE, { maxLength: 8 })
const SETUPS = fc.constantFrom<TurnSetup>({}, { tools: ['Read', 'Bash'] }, { stopSequences: ['e', '":'] })

test('invariants 2, 3 and 5: the client gets what the service meant, in legal blocks', () => {
  fc.assert(
    fc.property(meantAnswer, ({ blocks, events }) => {
      const translator = turnTranslator()
      const { blocks: read, end, error } = readStream(translate(translator, bodyOf(...events)))
      expect(error).toBeUndefined()
      expect(read.map(meant)).toEqual(blocks)
      const hasCalls = blocks.some(({ type }) => type === 'tool_use')
      expect(end?.delta.stop_reason).toBe(hasCalls ? 'tool_use' : 'end_turn')
      expect(translator.notes).toEqual([])
    }),
    { numRuns: 300, seed: SEED },
  )
})

/** Bodies that no honest service sends. */
const hostileBody: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        eventFrame(textEvent('Hello')),
        eventFrame(callEvent('a', { input: '{"x":' })),
        eventFrame(callEvent('a', { input: '1}', stop: true })),
        eventFrame(callEvent('b', { input: 'null' })),
        eventFrame(['toolUseEvent', { toolUseId: 'c' }]),
        eventFrame(['assistantResponseEvent', { content: null }]),
        eventFrame(['ofTomorrow', { deep: [[[]]] }]),
        eventFrame(['reasoningContentEvent', { text: 'hm', signature: 's', redactedContent: 'AA==' }]),
        eventFrame(['metadataEvent', { tokenUsage: { outputTokens: -1 } }]),
        eventFrame(['metadataEvent', { stopReason: 7 }]),
        eventFrame(endEvent('MAX_TOKENS')),
        eventFrame(endEvent()),
        exceptionFrame('throttlingException', { message: 'no' }),
        frame({ ':message-type': 'event', ':event-type': 'assistantResponseEvent' }, 'no JSON'),
        frame(
          { ':message-type': 'event', ':event-type': 'assistantResponseEvent' },
          Uint8Array.of(0xff, 0xc0),
        ),
        frame({}, '{}'),
      ),
      fc.uint8Array({ maxLength: 20 }),
    ),
    { maxLength: 8 },
  )
  .map(joinedBytes)

test('invariant 1: any split of the bytes gives the same output', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostileBody,
        meantAnswer.map(({ events }) => bodyOf(...events)),
      ),
      SPLITS,
      SETUPS,
      (bytes, splits, setup) => {
        const whole = translate(turnTranslator(setup), bytes)
        expect(translate(turnTranslator(setup), ...pieces(bytes, splits))).toBe(whole)
      },
    ),
    { numRuns: 500, seed: SEED },
  )
})

test('invariant 2: a hostile body throws nothing and gives a legal stream with one end', () => {
  fc.assert(
    fc.property(hostileBody, SETUPS, (bytes, setup) => {
      const translator = turnTranslator(setup)
      const { error, end } = readStream(translate(translator, bytes))
      expect(error === undefined).toBe(end !== undefined)
      expect(clientWords(translator.failure)).toBe(error?.message)
      const after = [
        translator.push(bytes),
        translator.end(),
        translator.fail(new HubError('api_error', 'x')),
      ]
      expect(after).toEqual(['', '', ''])
    }),
    { numRuns: 500, seed: SEED },
  )
})

test('invariant 3: an answer that is cut anywhere before its last byte is an error', () => {
  fc.assert(
    fc.property(meantAnswer, SHARE, ({ events }, share) => {
      const bytes = bodyOf(...events)
      const cut = bytes.subarray(0, Math.min(bytes.length - 1, Math.floor(share * bytes.length)))
      expect(readStream(translate(turnTranslator(), cut)).error?.type).toBe('overloaded_error')
    }),
    { numRuns: 300, seed: SEED },
  )
})

test('invariant 3: an answer that was cut between two frames is an error', () => {
  fc.assert(
    fc.property(meantAnswer, SHARE, ({ events }, share) => {
      const cut = events.slice(0, Math.floor(share * (events.length - 1)))
      expect(readStream(translate(turnTranslator(), bodyOf(...cut))).error?.type).toBe('overloaded_error')
    }),
    { numRuns: 200, seed: SEED },
  )
})

test('one changed bit anywhere is an error', () => {
  fc.assert(
    fc.property(meantAnswer, SHARE, fc.integer({ min: 0, max: 7 }), ({ events }, share, bit) => {
      const bytes = bodyOf(...events)
      const at = Math.min(bytes.length - 1, Math.floor(share * bytes.length))
      bytes[at] = (bytes[at] as number) ^ (1 << bit)
      expect(readStream(translate(turnTranslator(), bytes)).error?.type).toBe('overloaded_error')
    }),
    { numRuns: 300, seed: SEED },
  )
})

test('invariant 3: each byte of a short answer, cut after it, never ends cleanly', () => {
  const bytes = bodyOf(textEvent('Hi.'), callEvent('a', { input: '{}', stop: true }), endEvent('TOOL_USE'))
  for (let length = 0; length < bytes.length; length += 1)
    expect(
      readStream(translate(turnTranslator(), bytes.subarray(0, length))).error,
      `${length}`,
    ).toBeDefined()
  expect(readStream(translate(turnTranslator(), bytes)).error).toBeUndefined()
})

test('invariant 4: the same bytes and ids give the same bytes', () => {
  fc.assert(
    fc.property(hostileBody, SETUPS, (bytes, setup) => {
      const first = translate(turnTranslator(setup), bytes)
      expect(translate(turnTranslator(setup), bytes.slice())).toBe(first)
    }),
    { numRuns: 100, seed: SEED },
  )
})
