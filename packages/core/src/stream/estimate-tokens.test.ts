import { expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

test('a token is about four characters, and something is never nothing', () => {
  expect([0, 1, 4, 5, 4000].map(estimateTokens)).toEqual([0, 1, 1, 2, 1000])
})
