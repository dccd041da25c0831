import { expect, test } from 'vitest'
import { BoundedMemory, DEFAULT_MEMORY } from './bounded-memory.ts'

test('what was kept is there, as it was then', () => {
  const memory = new BoundedMemory(DEFAULT_MEMORY, () => 0)
  const value = { list: [1] }
  memory.set('a', value)
  value.list.push(2)
  expect(memory.get('a')).toEqual({ list: [1] })
  memory.delete('a')
  expect(memory.get('a')).toBeUndefined()
})

test('what was used least recently is forgotten first, by count and by size', () => {
  const few = new BoundedMemory({ ...DEFAULT_MEMORY, entries: 2 }, () => 0)
  for (const key of ['a', 'b']) few.set(key, key)
  few.get('a')
  few.set('c', 'c')
  expect(['a', 'b', 'c'].map((key) => few.get(key))).toEqual(['a', undefined, 'c'])

  const small = new BoundedMemory({ ...DEFAULT_MEMORY, bytes: 10 }, () => 0)
  small.set('a', '1234')
  small.set('b', '12345')
  expect([small.get('a'), small.get('b')]).toEqual([undefined, '12345'])
  small.set('huge', 'x'.repeat(100))
  expect([small.get('huge'), small.get('b')]).toEqual([undefined, '12345'])
})

test('what is too old is forgotten, however often it is asked for', () => {
  let now = 0
  const memory = new BoundedMemory({ ...DEFAULT_MEMORY, age: 100 }, () => now)
  memory.set('a', 1)
  now = 60
  expect(memory.get('a')).toBe(1)
  now = 101
  expect(memory.get('a')).toBeUndefined()
})
