import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rechunk, type Rechunk } from './rechunk.ts'

const CHUNKS = fc
  .array(fc.uint8Array({ maxLength: 30 }), { maxLength: 10 })
  .map((pieces) => pieces.map((bytes, index) => ({ at: index * 10, bytes })))
const MODE = fc.oneof(
  fc.constantFrom<Rechunk>('as-recorded', 'events', 'bytes'),
  fc.nat().map((random) => ({ random })),
)

test('however an answer is cut, its bytes are the same, no piece is empty, and time does not go back', () => {
  fc.assert(
    fc.property(CHUNKS, MODE, (chunks, mode) => {
      const pieces = rechunk(chunks, mode)
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes))).toEqual(
        Buffer.concat(chunks.map(({ bytes }) => bytes)),
      )
      expect(pieces.every(({ bytes }) => bytes.length > 0)).toBe(true)
      const times = pieces.map(({ at }) => at)
      expect(times).toEqual(times.toSorted((one, other) => one - other))
    }),
  )
})

test('a piece comes when the last of its bytes came', () => {
  const chunks = ['data: a', '\n\ndata: b\n', '\n'].map((text, index) => ({
    at: index,
    bytes: Buffer.from(text),
  }))
  expect(rechunk(chunks, 'events').map(({ at }) => at)).toEqual([1, 2])
  expect(rechunk(chunks, 'bytes').map(({ at }) => at)).toEqual([
    ...Array<number>(7).fill(0),
    ...Array<number>(10).fill(1),
    2,
  ])
})
