import { expect, test } from 'vitest'
import { LongTexts } from './long-texts.ts'

test('a long text is looked at once, a short one each time, and every answer is right', () => {
  const looked: number[] = []
  const texts = new LongTexts((text) => {
    looked.push(text.length)
    return text.includes('x')
  })
  const long = 'a'.repeat(5000)
  for (let round = 0; round < 3; round += 1) {
    expect(texts.lookUp(long)).toBe(false)
    expect(texts.lookUp(`${long}x`)).toBe(true)
    expect(texts.lookUp('x')).toBe(true)
  }
  expect(looked).toEqual([5000, 5001, 1, 1, 1])
})

test('more texts than are remembered are still told apart', () => {
  const texts = new LongTexts((text) => text.length)
  for (let round = 0; round < 2; round += 1) {
    for (let length = 3000; length < 3100; length += 1) expect(texts.lookUp('a'.repeat(length))).toBe(length)
  }
})
