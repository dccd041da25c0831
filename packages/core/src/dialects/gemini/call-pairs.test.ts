import { expect, test, vi } from 'vitest'
import { Notes } from '../../hub/note.ts'
import { CallPairs } from './call-pairs.ts'

const COUNT = 1000

function placed(name: string, index: number, id?: string) {
  return { id, name, path: `contents[${index}].parts[0]` }
}

test('results belong to the calls of their name in the order in which they were made', () => {
  const pairs = new CallPairs(new Notes())
  const ids = [pairs.call(placed('Read', 0)), pairs.call(placed('Bash', 1)), pairs.call(placed('Read', 2))]
  expect(pairs.result(placed('Read', 3))).toBe(ids[0])
  expect(pairs.result(placed('Read', 4))).toBe(ids[2])
  expect(pairs.result(placed('Bash', 5))).toBe(ids[1])
})

test('an id counts more than a name, and a result with an id may belong to a call without one', () => {
  const pairs = new CallPairs(new Notes())
  const [first, second] = [pairs.call(placed('Read', 0)), pairs.call(placed('Read', 1, 'b'))]
  expect(pairs.result(placed('Read', 2, 'b'))).toBe(second)
  expect(pairs.result(placed('Read', 3, 'other'))).toBe(first)
  expect(pairs.result(placed('Read', 4, 'b'))).toBeUndefined()
})

test('calls and results cost the same each, however many there are', () => {
  const looks = vi.spyOn(Set.prototype, 'has')
  const walks = [vi.spyOn(Array.prototype, 'filter'), vi.spyOn(Array.prototype, 'find')]
  try {
    const pairs = new CallPairs(new Notes())
    const ids = new Set<string>()
    for (let index = 0; index < COUNT; index += 1) {
      ids.add(pairs.call(placed('Read', index, 'same')))
      ids.add(pairs.result(placed('Read', index, 'same')) ?? '')
    }
    expect(ids.size).toBe(COUNT)
    expect(looks.mock.calls.length).toBeLessThan(4 * COUNT)
    expect(walks.flatMap(({ mock }) => mock.calls)).toEqual([])
  } finally {
    vi.restoreAllMocks()
  }
})
