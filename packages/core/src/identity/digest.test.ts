import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { digest } from './digest.ts'

test.each(['', 'abc', 'ü 😀', 'x'.repeat(1000)])('the digest of %j is its SHA-256', (text) => {
  expect(digest(text)).toBe(createHash('sha256').update(text).digest('hex'))
})

test('half a character does not break it', () => {
  expect(digest('\ud83d')).toBe(digest('\ufffd'))
})
