import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileBodyFrom } from '../streams/hostile-body.ts'
import { pieces } from '../streams/pieces.ts'
import { meantAnswer, wording } from './meant-answer.ts'
import { Exchange, PAIRS, toldBy } from './pair.ts'

const SPLITS = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })

describe.each(PAIRS)('$name', (pair) => {
  const { reader, writer } = pair
  const bodies = hostileBodyFrom(
    fc.tuple(meantAnswer, wording).map(([answer, picks]) => writer.write(answer, picks()).bytes),
  )

  test('invariants 1 to 4: whatever an upstream sends becomes one legal stream, however it is split', () => {
    fc.assert(
      fc.property(bodies, SPLITS, (bytes, splits) => {
        const translation = new Exchange(pair).translation(reader.ask(true))
        const output = toldBy(translation, [bytes])
        const again = new Exchange(pair).translation(reader.ask(true))
        expect(toldBy(again, pieces(bytes, splits))).toBe(output)
        expect(again.notes).toEqual(translation.notes)
        const { error, stop } = reader.read(output)
        expect([error === undefined, stop === undefined]).toEqual([
          translation.failure === undefined,
          translation.failure !== undefined,
        ])
      }),
      { numRuns: 150 },
    )
  })
})
