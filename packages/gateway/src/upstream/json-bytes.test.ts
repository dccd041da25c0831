import { markLasting } from '@hydra/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes } from './json-bytes.ts'

const written = (value: object): string => JSON.stringify(value)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

test('any JSON is written as JSON.stringify writes it, the first time and from memory', () => {
  const json = new JsonBytes()
  const long = fc.string({ unit: 'grapheme', minLength: 250, maxLength: 400 })
  const value = fc.object({
    maxDepth: 8,
    values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null), long],
  })
  fc.assert(
    fc.property(fc.oneof(value, fc.array(value)), (one) => {
      expect(decode(json.encode(one))).toBe(written(one))
      expect(decode(json.encode(one))).toBe(written(one))
    }),
    { numRuns: 300 },
  )
})

test('fields that are undefined are left out, and odd keys are escaped', () => {
  const value = { a: undefined, 'b"→': 1, list: [undefined, null, []], empty: {} }
  expect(decode(new JsonBytes().encode(value))).toBe(written(value))
})

test('long strings with quotes, newlines and other characters are exact at each length around the limits', () => {
  const json = new JsonBytes()
  for (const length of [255, 256, 257, 65_535, 65_536, 65_537]) {
    const value = { text: '→"\n'.repeat(length).slice(0, length) }
    expect(decode(json.encode(value))).toBe(written(value))
  }
})

test('more than can be remembered is forgotten, and still right', () => {
  const json = new JsonBytes()
  for (let index = 0; index < 400; index += 1) {
    const value = { text: `${index} `.repeat(12_000) }
    expect(json.encode(value).length).toBe(written(value).length)
  }
})

test('a value that cannot be written leaves nothing behind for the next one', () => {
  const json = new JsonBytes()
  const secret = { text: 'of somebody else '.repeat(30), number: 1n }
  expect(() => json.encode(secret)).toThrow(TypeError)
  expect(decode(json.encode({ a: 1 }))).toBe('{"a":1}')
})

test('a lasting item of a list is written once, and the same each time', () => {
  const json = new JsonBytes()
  let reads = 0
  const item = markLasting({
    get text() {
      reads += 1
      return 'größer'
    },
  })
  reads = 0
  const value = { list: [item, { other: 1 }, item] }
  expect(decode(json.encode(value))).toBe('{"list":[{"text":"größer"},{"other":1},{"text":"größer"}]}')
  expect(decode(json.encode(value))).toBe('{"list":[{"text":"größer"},{"other":1},{"text":"größer"}]}')
  expect(reads).toBe(1)
})
