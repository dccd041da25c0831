import { expect, test } from 'vitest'
import { KnownFrames } from './known-frames.ts'

test('a frame that comes again is the same, and one of many others is not confused with it', () => {
  const frames = new KnownFrames()
  const first = frames.frame('data: "', '"\n\n')
  expect(frames.frame('data: "', '"\n\n')).toBe(first)
  expect(frames.frame('data: "', '"\r\n\r\n')).not.toBe(first)
  expect(frames.frame('data:"', '"\n\n')).not.toBe(first)
  expect(frames.frame('data: "', '"\n\n')).toBe(first)
})

test('only the last ones are remembered', () => {
  const frames = new KnownFrames()
  const [kept, lost] = [frames.frame('kept', ''), frames.frame('lost', '')]
  for (let index = 0; index < 15; index += 1) {
    frames.frame(`other ${index}`, '')
    expect(frames.frame('kept', '')).toBe(kept)
  }
  expect(frames.frame('lost', '')).not.toBe(lost)
})
