import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HubError } from '../../src/hub/error.ts'
import { pieces } from '../streams/pieces.ts'
import { eventReads } from '../streams/event-reads.ts'
import { meantOutline, toldOutline } from './expected-told.ts'
import { COUNTED, meantAnswer, wording } from './meant-answer.ts'
import { Exchange, PAIRS, toldBy, translate } from './pair.ts'

/** Where to split, as shares of the length. */
const SPLITS = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
const SHARE = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

describe.each(PAIRS)('$name', (pair) => {
  const { reader, writer } = pair

  test('invariants 2, 3 and 5: however an upstream words its answer, the client is told what it meant', () => {
    fc.assert(
      fc.property(meantAnswer, wording, (answer, picks) => {
        const { bytes, says, counted } = writer.write(answer, picks())
        const told = reader.read(translate(pair, bytes))
        expect(told.error).toBeUndefined()
        expect(toldOutline(told, pair)).toEqual(meantOutline(says, pair))
        if (counted) expect(told.usage).toEqual(COUNTED)
        else expect(Math.min(told.usage?.input ?? 0, told.usage?.output ?? 0)).toBeGreaterThan(0)
      }),
      { numRuns: 150 },
    )
  })

  test('invariants 1 and 4: any split of an answer gives the same bytes', () => {
    fc.assert(
      fc.property(meantAnswer, wording, SPLITS, (answer, picks, splits) => {
        const { bytes } = writer.write(answer, picks())
        expect(translate(pair, ...pieces(bytes, splits))).toBe(translate(pair, bytes))
      }),
      { numRuns: 80 },
    )
  })

  test('invariants 1 and 4: events that come one by one, and a few at a time, give the same bytes', () => {
    fc.assert(
      fc.property(meantAnswer, wording, fc.integer({ min: 1, max: 4 }), (answer, picks, count) => {
        const { bytes } = writer.write(answer, picks())
        // In reads of their own most are taken by their bytes, in one read with those before them all are parsed.
        const [apart, together] = [eventReads(bytes, count), [bytes]].map((reads) => {
          const translation = new Exchange(pair).translation(reader.ask(true))
          return { told: toldBy(translation, reads), notes: translation.notes }
        })
        expect(apart).toEqual(together)
      }),
      { numRuns: 150 },
    )
  })

  test('invariant 3: an answer that is cut anywhere before its end is an error and nothing else', () => {
    fc.assert(
      fc.property(meantAnswer, wording, SHARE, (answer, picks, share) => {
        const { bytes, end } = writer.write(answer, picks())
        const { error, stop } = reader.read(translate(pair, bytes.subarray(0, Math.floor(share * end))))
        expect([typeof error, stop]).toEqual(['string', undefined])
      }),
      { numRuns: 80 },
    )
  })

  test('a call that breaks in the middle of an answer ends in that error, unless the answer has ended', () => {
    fc.assert(
      fc.property(meantAnswer, wording, SHARE, (answer, picks, share) => {
        const { bytes } = writer.write(answer, picks())
        const translation = new Exchange(pair).translation(reader.ask(true))
        const sent = translation.pushRaw(bytes.subarray(0, Math.floor(share * bytes.length)))
        const before = typeof sent === 'string' ? sent : new TextDecoder().decode(sent)
        const hadEnded = translation.ended
        const { error } = reader.read(before + translation.fail(new HubError('timeout_error', 'too slow')))
        expect(error?.includes('too slow') ?? false).toBe(!hadEnded)
        expect([translation.pushRaw(bytes), translation.end()]).toEqual(['', ''])
      }),
      { numRuns: 80 },
    )
  })

  test('an answer that is wanted whole says what its stream says', () => {
    fc.assert(
      fc.property(meantAnswer, wording, (answer, picks) => {
        const { bytes } = writer.write(answer, picks())
        const whole = new Exchange(pair).translation(reader.ask(false))
        const body = toldBy(whole, [bytes])
        const { turn: _, ...told } = reader.readWhole(body)
        const { turn: __, ...streamed } = reader.read(translate(pair, bytes))
        expect(told).toEqual(streamed)
      }),
      { numRuns: 80 },
    )
  })
})
