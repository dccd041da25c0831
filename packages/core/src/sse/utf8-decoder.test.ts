import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Utf8Decoder } from './utf8-decoder.ts'

function decoded(...pieces: readonly Uint8Array[]): string {
  const decoder = new Utf8Decoder()
  return pieces.map((piece) => decoder.decode(piece)).join('')
}

/** Bytes that often begin, continue or break a character. */
const BYTE = fc.oneof(
  fc.constantFrom(
    0x41,
    0x80,
    0xbf,
    0xc0,
    0xc3,
    0xa4,
    0xe0,
    0xe2,
    0x82,
    0xac,
    0xed,
    0xa0,
    0xef,
    0xbb,
    0xf0,
    0x9f,
    0x98,
    0xf4,
    0xf8,
    0xff,
  ),
  fc.nat({ max: 255 }),
)
const PIECES = fc.array(
  fc.array(BYTE, { maxLength: 5 }).map((bytes) => Uint8Array.from(bytes)),
  { maxLength: 8 },
)
/** A last character that completes whatever the decoder waits for. */
const LAST = Uint8Array.of(0x2e)

test('S9 any bytes in any pieces give the text that TextDecoder gives', () => {
  fc.assert(
    fc.property(PIECES, (pieces) => {
      const whole = new TextDecoder().decode(
        Uint8Array.from([...pieces, LAST].flatMap((piece) => Array.from(piece))),
      )
      expect(decoded(...pieces, LAST)).toBe(whole)
    }),
    { numRuns: 1000 },
  )
})

test('S9 any text in any pieces is that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 4 }), (text, size) => {
      const bytes = new TextEncoder().encode(text)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      expect(decoded(...pieces)).toBe(text.toWellFormed().replace(/^\uFEFF/, ''))
    }),
    { numRuns: 500 },
  )
})

test('S9 a character is told as soon as it is whole', () => {
  const decoder = new Utf8Decoder()
  const parts = [[0xf0], [0x9f], [0x98], [0x80, 0x41]].map((bytes) => decoder.decode(Uint8Array.from(bytes)))
  expect(parts).toEqual(['', '', '', '😀A'])
})

test('a byte order mark is dropped at the beginning only, also in pieces', () => {
  const mark = [0xef, 0xbb, 0xbf]
  expect(decoded(Uint8Array.from([...mark, 0x41, ...mark]))).toBe('A\uFEFF')
  expect(decoded(Uint8Array.of(0xef), Uint8Array.of(), Uint8Array.of(0xbb, 0xbf), Uint8Array.of(0x41))).toBe(
    'A',
  )
})

test('the pieces may be reused by their owner', () => {
  const decoder = new Utf8Decoder()
  const buffer = Uint8Array.of(0x41, 0xc3)
  expect(decoder.decode(buffer)).toBe('A')
  buffer.fill(0)
  expect(decoder.decode(Uint8Array.of(0xa4))).toBe('ä')
})
