import { expect, test } from 'vitest'
import { Memo } from './memo.ts'

test('what is asked for again and again is never forgotten', () => {
  const memo = new Memo<string, number>(10)
  memo.set('often', 1)
  for (let count = 0; count < 100; count += 1) {
    memo.set(`once ${count}`, count)
    expect(memo.get('often')).toBe(1)
  }
  expect(memo.get('once 0')).toBeUndefined()
})

test('no more is kept than two generations', () => {
  const memo = new Memo<number, number>(10)
  for (let key = 0; key < 1000; key += 1) memo.set(key, key)
  const kept = Array.from({ length: 1000 }, (_, key) => memo.get(key)).filter((value) => value !== undefined)
  expect(kept.length).toBeLessThanOrEqual(20)
  expect(memo.get(999)).toBe(999)
})

test('entries count with their costs', () => {
  const memo = new Memo<string, string>(100)
  memo.set('large', 'x', 80)
  memo.set('second', 'y', 80)
  memo.set('third', 'z', 80)
  expect([memo.get('large'), memo.get('second'), memo.get('third')]).toEqual([undefined, 'y', 'z'])
})
