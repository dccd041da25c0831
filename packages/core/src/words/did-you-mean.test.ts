import { expect, test } from 'vitest'
import { nearest } from './did-you-mean.ts'

const NAMES = ['record', 'regress', 'chaos', 'shrink', 'show']

test.for([
  ['regres', 'regress'],
  ['chasos', 'chaos'],
  ['cahos', 'chaos'],
  ['reco', 'record'],
  ['hsrink', 'shrink'],
] as const)('%s means %s', ([typed, meant]) => {
  expect(nearest(typed, NAMES)).toBe(meant)
})

test('what is like nothing has no suggestion', () => {
  expect(nearest('xyzzy', NAMES)).toBeUndefined()
  expect(nearest('anything', [])).toBeUndefined()
})
