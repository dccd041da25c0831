import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64Url, toBase64Url } from './base64url.ts'

test.each(['', 'a', 'ab', 'abc', 'functions.Read:0', 'ü 😀', '\ufeffbom'])(
  '%j goes there and back',
  (text) => {
    expect(toBase64Url(text)).toBe(Buffer.from(text).toString('base64url'))
    expect(fromBase64Url(toBase64Url(text))).toBe(text)
  },
)

test('every text goes there and back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(fromBase64Url(toBase64Url(text))).toBe(text)
    }),
    { seed: 1 },
  )
})

test.each(['%', 'a', '_w'])('%j is nothing that was wrapped', (encoded) => {
  expect(fromBase64Url(encoded)).toBeUndefined()
})
