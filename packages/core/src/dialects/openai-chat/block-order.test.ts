import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import { call, calls, delta, finish, more, text, usage } from '../../../test/streams/chat-chunks.ts'

const END = finish('tool_calls', usage(5, 3))
const LIFTS = { thinkingTag: 'think' }

test('C11 text after a call is a new text block', () => {
  const body = text('a') + calls(call(0, 'c', 'Read', '{"n":1}')) + text('b') + text('c') + END
  const { blocks, stop } = answerTo(body)
  expect([blocks, stop]).toEqual([['text a', 'c Read {"n":1}', 'text bc'], 'tool_use'])
})

test('C11 text and thinking in the middle of a call wait until it is complete', () => {
  const body =
    calls(call(0, 'c', 'Read', '{"n"')) +
    text('a') +
    delta({ reasoning: 'b' }) +
    calls(more(0, ':1}')) +
    text('c') +
    END
  expect(answerTo(body).blocks).toEqual(['c Read {"n":1}', 'text a', 'thinking b', 'text c'])
})

test('C11 a call after text after a call is a block of its own', () => {
  const body =
    calls(call(0, 'c', 'Read', '{"n":1}')) + text('a') + calls(call(1, 'd', 'Read', '{"n":2}')) + END
  expect(answerTo(body).blocks).toEqual(['c Read {"n":1}', 'text a', 'd Read {"n":2}'])
})

test('C11 text after a call without arguments is not lost', () => {
  const body = calls(call(0, 'c', 'Read', '')) + text('a') + END
  expect(answerTo(body).blocks).toEqual(['c Read {}', 'text a'])
})

test('C11 more arguments for a call that text has closed are an error', () => {
  const body = calls(call(0, 'c', 'Read', '{"n":1}')) + text('a') + calls(more(0, '{"n":2}')) + END
  expect(answerTo(body).error).toMatch(/expected the call c to be complete/)
})

test('C11 blank arguments for a call that text has closed are nothing', () => {
  const body = calls(call(0, 'c', 'Read', '{"n":1}')) + text('a') + calls(more(0, ' \n')) + END
  expect(answerTo(body).blocks).toEqual(['c Read {"n":1}', 'text a'])
})

test('T11 tags around thinking are text', () => {
  expect(answerTo(text('<think>Hm</think>So.') + END).blocks).toEqual(['text <think>Hm</think>So.'])
})

test('T11 tags are lifted where the profile says so, also when they come in pieces', () => {
  const whole = '\n<think>Hm < x</think>So </think>.'
  expect(answerTo(text(whole) + END, LIFTS).blocks).toEqual(['thinking Hm < x', 'text So </think>.'])
  for (let at = 1; at < whole.length; at += 1) {
    const body = text(whole.slice(0, at)) + text(whole.slice(at)) + END
    expect(answerTo(body, LIFTS).blocks).toEqual(['thinking Hm < x', 'text So </think>.'])
  }
})

test('T11 a tag that is not at the beginning is text', () => {
  expect(answerTo(text('See <think>') + text('x</think>') + END, LIFTS).blocks).toEqual([
    'text See <think>x</think>',
  ])
})

test('T11 a tag that never closes is thinking to the end', () => {
  expect(answerTo(text('<think>Hm </th') + END, LIFTS).blocks).toEqual(['thinking Hm </th'])
})

test('T11 text that might have become a tag stays before the call that follows it', () => {
  const body = text('<th') + calls(call(0, 'c', 'Read', '{"n":1}')) + END
  expect(answerTo(body, LIFTS).blocks).toEqual(['text <th', 'c Read {"n":1}'])
})
