import { expect, test } from 'vitest'
import { refusedKeys } from './refused-keys.ts'

test('a key that is refused for good is told by its label, one that was too fast is not', () => {
  const keys = [
    { upstream: 'up', label: 'old', status: 401 },
    { upstream: 'up', label: 'empty', status: 402 },
    { upstream: 'up', label: 'busy', status: 429 },
    { upstream: 'up', label: 'good' },
  ]
  expect(refusedKeys({ keys })).toEqual([
    "upstream up: its key 'old' is not valid (401); it rests, and the others are used",
    "upstream up: its key 'empty' is not paid for (402); it rests, and the others are used",
  ])
  expect(refusedKeys({})).toEqual([])
})
