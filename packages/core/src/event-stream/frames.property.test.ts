import { crc32 as zlibCrc32 } from 'node:zlib'
import { EventStreamCodec, Int64 } from '@smithy/core/event-streams'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinedBytes, rawFrame } from '../../test/amazon-q/frames.ts'
import { HubError } from '../hub/error.ts'
import { crc32 } from './crc32.ts'
import { type Frame, FrameReader } from './frames.ts'

// The codec of the AWS SDKs is the judge: what it writes is read here as it reads it itself.

type SmithyHeaders = Parameters<EventStreamCodec['encode']>[0]['headers']

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })
const JUDGE = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : DECODER.decode(bytes)),
  (text) => new TextEncoder().encode(text),
)

function judged(bytes: Uint8Array): Frame {
  const { headers, body } = JUDGE.decode(bytes)
  const texts = Object.entries(headers).flatMap(([name, { type, value }]) =>
    type === 'string' ? [[name, value] as const] : [],
  )
  return { headers: new Map(texts), payload: DECODER.decode(body) }
}

function read(...pieces: readonly Uint8Array[]): Frame[] {
  const frames: Frame[] = []
  const reader = new FrameReader({ frame: (frame) => frames.push(frame) })
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return frames
}

const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ maxLength })
const text = fc.string({ unit: 'binary', maxLength: 30 })
const headerName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((name) => name !== '__proto__')

const headerValue: fc.Arbitrary<SmithyHeaders[string]> = fc.oneof(
  { weight: 4, arbitrary: text.map((value) => ({ type: 'string' as const, value })) },
  fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'byte' as const, value })),
  fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: 'short' as const, value })),
  fc.integer().map((value) => ({ type: 'integer' as const, value })),
  fc.integer().map((value) => ({ type: 'long' as const, value: Int64.fromNumber(value) })),
  bytes(40).map((value) => ({ type: 'binary' as const, value })),
  fc.date({ noInvalidDate: true }).map((value) => ({ type: 'timestamp' as const, value })),
  fc.uuid().map((value) => ({ type: 'uuid' as const, value })),
)

const message = fc.record({
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 6, noNullPrototype: true }),
  body: fc.oneof(
    bytes(300),
    text.map((value) => new TextEncoder().encode(value)),
  ),
})

test('frames of the AWS codec with headers of every type are read as it reads them, in any pieces', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 4 }), fc.array(fc.nat(1500)), (messages, cuts) => {
      const frames = messages.map((one) => JUDGE.encode(one))
      const whole = joinedBytes(frames)
      const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length].toSorted(
        (a, b) => a - b,
      )
      const pieces = places.slice(1).map((end, at) => whole.subarray(places[at], end))
      expect(read(...pieces)).toEqual(frames.map(judged))
    }),
    { numRuns: 500 },
  )
})

test('whatever bytes stand for headers, they are read as by the AWS codec or refused with a reason', () => {
  const honest = message.map(({ headers }) => {
    const frame = JUDGE.encode({ headers, body: new Uint8Array() })
    return frame.subarray(12, -4)
  })
  const changed = fc.tuple(honest, fc.nat(), fc.nat(255)).map(([head, at, byte]) => {
    const copy = head.slice()
    if (copy.length > 0) copy[at % copy.length] = byte
    return copy
  })
  let accepted = 0
  let refused = 0
  fc.assert(
    fc.property(fc.oneof(changed, bytes(40)), bytes(20), (head, payload) => {
      const frame = rawFrame(head, payload)
      let ours: Frame | undefined
      try {
        ;[ours] = read(frame)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(HubError)
        refused += 1
        return
      }
      accepted += 1
      expect(ours).toEqual(judged(frame))
    }),
    { numRuns: 1000 },
  )
  expect(Math.min(accepted, refused)).toBeGreaterThan(50)
})

test('checksums are those of zlib', () => {
  fc.assert(
    fc.property(bytes(200), (value) => {
      expect(crc32(value)).toBe(zlibCrc32(value))
    }),
  )
})
