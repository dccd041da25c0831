import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { frame, joinedBytes, rawFrame } from '../../test/amazon-q/frames.ts'
import { HubError } from '../hub/error.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { type Frame, FrameReader } from './frames.ts'

function read(...pieces: readonly Uint8Array[]): Frame[] {
  const frames: Frame[] = []
  const reader = new FrameReader({ frame: (one) => frames.push(one) })
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return frames
}

const ONE = frame({ ':event-type': 'first', ':message-type': 'event' }, '{"text":"ü 😀"}')
const TWO = frame({ ':event-type': 'second' }, '')
const BOTH = joinedBytes([ONE, TWO])

test('the empty frame of the specification is read', () => {
  const bytes = Uint8Array.from(Buffer.from('000000100000000005c248eb7d98c8ff', 'hex'))
  expect(read(bytes)).toEqual([{ headers: new Map(), payload: '' }])
})

test('frames have headers and a payload', () => {
  expect(read(BOTH)).toEqual([
    {
      headers: new Map([
        [':event-type', 'first'],
        [':message-type', 'event'],
      ]),
      payload: '{"text":"ü 😀"}',
    },
    { headers: new Map([[':event-type', 'second']]), payload: '' },
  ])
})

test('any split gives the same frames', () => {
  const whole = read(BOTH)
  for (let at = 0; at <= BOTH.length; at += 1)
    expect(read(BOTH.subarray(0, at), BOTH.subarray(at))).toEqual(whole)
  expect(read(...Array.from(BOTH, (byte) => Uint8Array.of(byte)))).toEqual(whole)
})

test('the bytes of a read may be used again by their owner', () => {
  const frames: Frame[] = []
  const reader = new FrameReader({ frame: (one) => frames.push(one) })
  const buffer = new Uint8Array(1)
  for (const byte of BOTH) {
    buffer[0] = byte
    reader.push(buffer)
  }
  expect(frames).toEqual(read(BOTH))
})

test('a body that ends within a frame is broken', () => {
  for (let length = 1; length < ONE.length; length += 1)
    expect(() => read(ONE.subarray(0, length))).toThrow(/the last frame was cut off after \d+ bytes/)
})

test('a frame with any bit changed is broken', () => {
  for (let at = 0; at < ONE.length; at += 1) {
    const changed = ONE.slice()
    changed[at] = (changed[at] as number) ^ 0x10
    expect(() => read(changed, TWO), `byte ${at}`).toThrow(HubError)
  }
})

test.each([
  ['too short', 15],
  ['too long', MAX_EVENT_LENGTH + 1],
])('a frame that is %s is refused before it is read', (_name, length) => {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32BE(length)
  expect(() => read(bytes)).toThrow(`got one of ${length}`)
})

test('a length that its checksum does not confirm is refused before the frame is there', () => {
  const prelude = ONE.slice(0, 12)
  prelude[2] = 0xff
  const reader = new FrameReader({ frame: () => {} })
  expect(() => reader.push(prelude)).toThrow('does not match its checksum')
})

test.each([
  ['a type that nobody knows', [1, 97, 10], 'expected a header type of 0 to 9, got 10 (header "a")'],
  ['a name beyond the end', [9, 97], 'expected headers of 2 bytes, got one that ends at 10'],
  ['a value beyond the end', [1, 97, 7, 0, 2, 98], 'expected headers of 6 bytes, got one that ends at 7'],
  ['no value', [1, 97, 4], 'expected headers of 3 bytes, got one that ends at 7'],
])('a header with %s is refused by name', (_name, head, message) => {
  expect(() => read(rawFrame(Uint8Array.from(head), 'payload'))).toThrow(`upstream: ${message}`)
})

test('headers that do not fit into their frame are an error and nothing worse', () => {
  const bytes = Buffer.from(frame({}, 'x'.repeat(40)))
  bytes.writeUInt32BE(1000, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  expect(() => read(bytes)).toThrow('got headers of 1000')
})
