import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimize } from './minimize.ts'

test('what is left is exactly what is needed, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 40 }),
      fc.array(fc.nat(39), { maxLength: 4 }),
      async (length, drawn) => {
        const items = Array.from({ length }, (_, index) => index)
        const needed = [...new Set(drawn)]
          .filter((item) => item < length)
          .toSorted((one, other) => one - other)
        const kept = await minimize(items, async (rest) => needed.every((item) => rest.includes(item)))
        expect(kept).toEqual(needed)
      },
    ),
  )
})

test('one part of many is found with few tries', async () => {
  let tries = 0
  const items = Array.from({ length: 1000 }, (_, index) => index)
  await minimize(items, async (rest) => {
    tries += 1
    return rest.includes(777)
  })
  expect(tries).toBeLessThan(100)
})

test('what needs any two neighbours keeps two', async () => {
  const items = Array.from({ length: 20 }, (_, index) => index)
  const kept = await minimize(items, async (rest) => rest.some((item, index) => rest[index + 1] === item + 1))
  expect(kept).toHaveLength(2)
})
