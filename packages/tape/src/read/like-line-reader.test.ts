import { expect, test } from 'vitest'
import type { FramedLine, FramedText, Leg } from '../format/lines.ts'
import { LikeLineReader } from './like-line-reader.ts'

function chunk(number: number, data: FramedText, leg: Leg = 'u>', exchange = 1): FramedLine {
  return [number, 10, exchange, leg, 'd', data]
}

const FRAME = { frame: ['data: "', '"\n\n'], text: 'one' } as const

test('a chunk is put together with its own frame, or with that of the line it is like', () => {
  const frames = new LikeLineReader()
  expect(frames.read(chunk(3, FRAME))).toEqual({ event: [3, 10, 1, 'u>', 'd', 'data: "one"\n\n'] })
  expect(frames.read(chunk(4, { frame: ['', '.'], text: 'x' }, '>c'))).toEqual({
    event: [4, 10, 1, '>c', 'd', 'x.'],
  })
  expect(frames.read(chunk(5, { like: 3, text: 'two' }))).toEqual({
    event: [5, 10, 1, 'u>', 'd', 'data: "two"\n\n'],
  })
})

test('a chunk cannot be like one of another leg, of another exchange, or like none', () => {
  const frames = new LikeLineReader()
  frames.read(chunk(3, FRAME))
  const fault = 'there is no line 3 before it with the frame of a chunk of the same leg'
  expect(frames.read(chunk(4, { like: 3, text: '' }, '>c'))).toEqual({ fault })
  expect(frames.read(chunk(5, { like: 3, text: '' }, 'u>', 2))).toEqual({ fault })
  expect(frames.read(chunk(6, { like: 5, text: '' }))).toEqual({ fault: fault.replace('3', '5') })
})

test('short lines cannot stand for any amount of text', () => {
  const frames = new LikeLineReader(1000)
  frames.read(chunk(1, { frame: ['x'.repeat(400), ''], text: '' }))
  expect(frames.read(chunk(2, { like: 1, text: '' }))).toHaveProperty('event')
  const fault = 'the chunks that are like others are longer than 1000 characters together'
  expect(frames.read(chunk(3, { like: 1, text: '' }))).toEqual({ fault })
  const others = new LikeLineReader(1000)
  expect(others.read(chunk(1, { frame: ['x'.repeat(400), ''], texts: ['', '', ''] }))).toEqual({ fault })
})

test('what differs in several places is put between the parts of the frame', () => {
  const frames = new LikeLineReader()
  expect(frames.read(chunk(3, { frame: ['a', 'b', 'c'], texts: ['1', '2'] }))).toEqual({
    event: [3, 10, 1, 'u>', 'd', 'a1b2c'],
  })
  expect(frames.read(chunk(3, { like: 3, texts: ['', '22'] }))).toEqual({
    event: [3, 10, 1, 'u>', 'd', 'ab22c'],
  })
  expect(frames.read(chunk(3, { like: 3, texts: ['1', '2', '3', '4'] }))).toEqual({
    event: [3, 10, 1, 'u>', 'd', 'a1b2ca3b4c'],
  })
  const fault = 'expected 2 texts as in line 3, got 1'
  expect(frames.read(chunk(4, { like: 3, text: '1' }))).toEqual({ fault })
  expect(frames.read(chunk(4, { like: 3, texts: ['1'] }))).toEqual({ fault })
  const others = { fault: fault.replace('got 1', 'got 3') }
  expect(frames.read(chunk(4, { like: 3, texts: ['1', '2', '3'] }))).toEqual(others)
})
