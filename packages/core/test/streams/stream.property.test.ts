import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientWords } from './client-words.ts'
import { HubError } from '../../src/hub/error.ts'
import { arbitraryAnswer } from './arbitrary-answer.ts'
import { readStream } from './grammar.ts'
import { hostileBody } from './hostile-body.ts'
import { meant, pieces } from './pieces.ts'
import { type AnswerSetup, chatCollector, chatTranslator, toBytes, translate } from './translator.ts'

const SETUP: AnswerSetup = { tools: ['Read', 'Bash'] }
const SETUPS = fc.constantFrom<AnswerSetup>(
  SETUP,
  { profile: 'gemini', tools: ['Read'] },
  { thinkingTag: 'think', usedIds: ['call_0'] },
  { profile: 'openai', model: 'gpt-5', stopSequences: ['e', 'data'] },
)
/** Where to split, as shares of the length. */
const SPLITS = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 })

test('invariants 2, 3 and 5: whatever an upstream words its answer like, the client gets what it meant', () => {
  fc.assert(
    fc.property(arbitraryAnswer, ({ blocks, body, counted }) => {
      const { blocks: read, end, error } = readStream(translate(chatTranslator(SETUP), toBytes(body)))
      expect(error).toBeUndefined()
      expect(read.map(meant)).toEqual(blocks)
      const hasCalls = blocks.some(({ type }) => type === 'tool_use')
      expect(end?.delta.stop_reason).toBe(hasCalls ? 'tool_use' : 'end_turn')
      if (counted) expect([end?.usage.input_tokens, end?.usage.output_tokens]).toEqual([11, 7])
      else expect(Math.min(end?.usage.input_tokens ?? 0, end?.usage.output_tokens ?? 0)).toBeGreaterThan(0)
    }),
    { numRuns: 400 },
  )
})

test('invariant 1: any split of an honest answer gives the same output', () => {
  fc.assert(
    fc.property(arbitraryAnswer, SPLITS, SETUPS, ({ body }, splits, setup) => {
      const bytes = toBytes(body)
      const whole = translate(chatTranslator(setup), bytes)
      expect(translate(chatTranslator(setup), ...pieces(bytes, splits))).toBe(whole)
    }),
    { numRuns: 200 },
  )
})

test('invariant 1: any split of a hostile body gives the same output', () => {
  fc.assert(
    fc.property(hostileBody, SPLITS, SETUPS, (bytes, splits, setup) => {
      const whole = translate(chatTranslator(setup), bytes)
      expect(translate(chatTranslator(setup), ...pieces(bytes, splits))).toBe(whole)
    }),
    { numRuns: 600 },
  )
})

test('invariant 2: a hostile body throws nothing and gives a legal stream with one end', () => {
  fc.assert(
    fc.property(hostileBody, SETUPS, (bytes, setup) => {
      const translator = chatTranslator(setup)
      const { error, end } = readStream(translate(translator, bytes))
      expect(error === undefined).toBe(end !== undefined)
      expect(clientWords(translator.failure)).toBe(error?.message)
      expect([
        translator.push(bytes),
        translator.end(),
        translator.fail(new HubError('api_error', 'x')),
      ]).toEqual(['', '', ''])
    }),
    { numRuns: 1000 },
  )
})

test('invariant 3: a clean end comes only after an end of the upstream', () => {
  fc.assert(
    fc.property(hostileBody, (bytes) => {
      const translator = chatTranslator(SETUP)
      const { end } = readStream(translate(translator, bytes))
      const body = new TextDecoder().decode(bytes)
      const isOneDocument = /^[\s\uFEFF]*[{[]/.test(body)
      if (end !== undefined)
        expect(translator.finished || isOneDocument || body.includes('[DONE]')).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('invariant 3: an honest answer that is cut anywhere before its finish is an error', () => {
  fc.assert(
    fc.property(arbitraryAnswer, fc.double({ min: 0, max: 1, noNaN: true }), ({ body, finish }, share) => {
      const finishAt = body.indexOf(`"finish_reason":${JSON.stringify(finish)}`)
      const bytes = toBytes(body.slice(0, Math.floor(share * finishAt)))
      const { error } = readStream(translate(chatTranslator(SETUP), bytes))
      expect(error?.type).toBe('overloaded_error')
    }),
    { numRuns: 200 },
  )
})

test('invariant 4: the same bytes and ids give the same bytes, whatever was translated before', () => {
  fc.assert(
    fc.property(hostileBody, SETUPS, (bytes, setup) => {
      const first = translate(chatTranslator(setup), bytes)
      expect(translate(chatTranslator({ ...setup }), bytes.slice())).toBe(first)
    }),
    { numRuns: 200 },
  )
})

test('a failure in the middle of anything ends the stream with that error, unless it has ended', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostileBody,
        arbitraryAnswer.map(({ body }) => toBytes(body)),
      ),
      (bytes) => {
        const translator = chatTranslator(SETUP)
        const before = translator.push(bytes)
        const hadEnded = translator.ended
        const output = before + translator.fail(new HubError('timeout_error', 'too slow'))
        expect(readStream(output).error?.message === 'Overloaded: too slow').toBe(!hadEnded)
      },
    ),
    { numRuns: 200 },
  )
})

/** The same events, none of which looks like another; every other byte stays as it is. */
function distinct(bytes: Uint8Array): Uint8Array {
  const lines = Buffer.from(bytes).toString('latin1').split('\n')
  const changed = lines.map((line, number) => line.replace(/^data: \{(?=")/, `data: {"p":${number},`))
  return new Uint8Array(Buffer.from(changed.join('\n'), 'latin1'))
}

const QUOTED_NUMBER = /\\+"p\\+":\d/

function beforeError(output: string): string | undefined {
  return output.split('event: error', 1)[0]
}

test('a chunk is read the same whether or not it looks like the one before it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostileBody,
        arbitraryAnswer.map(({ body }) => toBytes(body)),
      ),
      SETUPS,
      (bytes, setup) => {
        const output = translate(chatTranslator(setup), bytes)
        const other = translate(chatTranslator(setup), distinct(bytes))
        // An error that quotes what the upstream sent quotes our number as well.
        if (QUOTED_NUMBER.test(other)) expect(beforeError(other)).toBe(beforeError(output))
        else expect(other).toBe(output)
      },
    ),
    { numRuns: 500 },
  )
})

test('the collected message is what the stream adds up to', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostileBody,
        arbitraryAnswer.map(({ body }) => toBytes(body)),
      ),
      (bytes) => {
        const collector = chatCollector(SETUP)
        collector.push(bytes)
        collector.end()
        const { blocks, end, error } = readStream(translate(chatTranslator(SETUP), bytes))
        expect(clientWords(collector.failure)).toBe(error?.message)
        if (end === undefined) return
        expect(collector.message?.content.map(({ type }) => type)).toEqual(
          blocks.map(({ start }) => start.type),
        )
        expect(collector.message?.stop_reason).toBe(end.delta.stop_reason)
        expect(collector.message?.usage.output_tokens).toBe(end.usage.output_tokens)
      },
    ),
    { numRuns: 200 },
  )
})
