import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bodyOf,
  callEvent,
  endEvent,
  eventFrame,
  frame,
  joinedBytes,
  type QEvent,
  rawFrame,
  textEvent,
} from '../../test/amazon-q/frames.ts'
import { turnTranslator } from '../../test/amazon-q/translator.ts'
import { crc32 } from './crc32.ts'
import { frameAt } from './frame-shape.ts'
import { findRun } from '../fast-text/event-run.ts'
import type { EventPattern } from '../fast-text/text-template.ts'

const PATTERN: EventPattern = {
  event: 'assistantResponseEvent',
  opening: '{"content":"',
  holes: [{ kind: 'text', name: '', after: '"}' }],
}

function textsIn(bytes: Uint8Array, pattern = PATTERN): string[] {
  const shape = frameAt(bytes, 0, pattern)
  const found = shape && findRun(bytes, 0, shape)
  return found === undefined
    ? []
    : Array.from({ length: found.texts.count }, (_, index) => found.texts.textAt(index))
}

const texts = (...words: readonly string[]): Uint8Array => bodyOf(...words.map(textEvent))

test('frames that differ in their text are found together, up to the first that differs otherwise', () => {
  expect(textsIn(texts('a', 'größer "b"\n', 'c'))).toEqual(['a', String.raw`größer \"b\"\n`, 'c'])
  const others = [endEvent(), ['assistantResponseEvent', { content: 'x', modelId: 'm' }], callEvent('t', {})]
  for (const other of others as QEvent[]) {
    expect(textsIn(joinedBytes([texts('a'), eventFrame(other), texts('c')]))).toEqual(['a'])
  }
  expect(textsIn(texts('a', 'b').subarray(0, -1))).toEqual(['a'])
})

test('a frame of another event, with broken headers or cut off has no shape', () => {
  expect(frameAt(texts('a'), 0, { ...PATTERN, event: 'other' })).toBeUndefined()
  expect(
    frameAt(frame({ ':event-type': 'assistantResponseEvent' }, '{"content":"a"}'), 0, PATTERN),
  ).toBeUndefined()
  expect(() => frameAt(rawFrame(Uint8Array.of(9, 97), '{"content":"a"}'), 0, PATTERN)).toThrow('headers')
  const whole = texts('a')
  for (let length = 0; length < whole.length; length += 1) {
    expect(frameAt(whole.subarray(0, length), 0, PATTERN)).toBeUndefined()
  }
})

test('a frame with any bit changed is not taken', () => {
  const [first, second] = [texts('one'), texts('two')]
  for (let bit = 0; bit < second.length * 8; bit += 1) {
    const changed = second.slice()
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    expect(textsIn(joinedBytes([first, changed])), `bit ${bit}`).toEqual(['one'])
  }
})

test('a frame whose lengths have a wrong checksum is not taken, also where that of the whole is right', () => {
  const changed = texts('two')
  const end = changed.length - 4
  changed[8] = (changed[8] as number) ^ 1
  new DataView(changed.buffer, changed.byteOffset).setUint32(end, crc32(changed.subarray(0, end)))
  expect(textsIn(joinedBytes([texts('one'), changed]))).toEqual(['one'])
})

test('bytes that are no text are left to the reader of frames', () => {
  const headers = texts('a').slice(12, -'{"content":"a"}'.length - 4)
  const broken = rawFrame(headers, Uint8Array.from(Buffer.from('{"content":"\xff"}', 'latin1')))
  expect(textsIn(broken)).toEqual([])
  expect(textsIn(rawFrame(headers, '{"content":"ü"}'))).toEqual(['ü'])
})

test('text and input that are copied give the same bytes as those that are parsed', () => {
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '{', '}', 'ü', '\n', ' word'),
  )
  const answers = fc.array(fc.record({ isCall: fc.boolean(), words: fc.array(word, { maxLength: 20 }) }))
  fc.assert(
    fc.property(answers, (parts) => {
      const events = parts.flatMap(({ isCall, words }, number): QEvent[] => {
        if (!isCall) return words.map(textEvent)
        const id = `t${number}`
        return [
          callEvent(id, { input: '{"x":"' }),
          ...words.map((input) => callEvent(id, { input })),
          callEvent(id, { stop: true }),
        ]
      })
      const padded = events.map(([type, payload], number): QEvent => [type, { ...payload, padding: number }])
      expect(answerTo(events)).toBe(answerTo(padded))
    }),
  )
})

function answerTo(events: readonly QEvent[]): string {
  const translator = turnTranslator()
  return translator.push(bodyOf(...events, endEvent())) + translator.end()
}
