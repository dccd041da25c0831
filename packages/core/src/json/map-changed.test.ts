import { expect, test } from 'vitest'
import { mapChanged } from './map-changed.ts'

test('a list in which nothing changes is returned itself', () => {
  const list = [1, 2, 3]
  expect(mapChanged(list, (item) => item)).toBe(list)
})

test('a change copies the list and leaves the original alone', () => {
  const list = [1, 2, 3]
  expect(mapChanged(list, (item, index) => (index === 1 ? 'two' : item))).toEqual([1, 'two', 3])
  expect(list).toEqual([1, 2, 3])
})
