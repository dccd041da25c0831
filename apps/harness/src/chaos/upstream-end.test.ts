import { expect, test } from 'vitest'
import { event, saying } from '../../test/exchanges.ts'
import { upstreamEndOf } from './upstream-end.ts'

const chat = (text: string): unknown => upstreamEndOf(Buffer.from(text), 'openai-chat')
const FINISH = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
const WORD = '{"choices":[{"index":0,"delta":{"content":"Hi"}}]}'

test('an upstream is finished with the line that says so, not with the blank one after it', () => {
  const pieces = saying('Grüße')
  const before = Buffer.byteLength(pieces.slice(0, 2).join(''))
  const finish = Buffer.byteLength(pieces[2] ?? '') - 2
  expect(chat(pieces.join(''))).toEqual({ at: before + finish, isFollowed: false })
})

test.for(['\n', '\r\n', '\r'])('lines may end in %j', (end) => {
  const text = `data: ${WORD}${end}${end}data: ${FINISH}${end}${end}`
  expect(chat(text)).toEqual({ at: text.length - 2 * end.length, isFollowed: false })
})

test('the word that closes a stream is an end too, also without a blank line', () => {
  expect(chat(`${event(JSON.parse(WORD))}data: [DONE]`)).toMatchObject({ isFollowed: false })
  expect(chat(event(JSON.parse(WORD)))).toEqual({ at: Infinity, isFollowed: false })
})

test('what another choice says is not the end', () => {
  expect(chat(event(FINISH.replace('"index":0', '"index":1')))).toMatchObject({ at: Infinity })
})

test('an upstream that goes on after its end is known for it', () => {
  expect(chat(`data: ${FINISH}\n\ndata: ${WORD}\n\n`)).toMatchObject({ isFollowed: true })
  const both = FINISH.replace('"delta":{}', '"delta":{"content":"x"}')
  expect(chat(`data: ${both}\n\ndata: ${both}\n\n`)).toMatchObject({ isFollowed: true })
})

test('one document is finished when it is whole', () => {
  expect(chat(' {"a":1} \n')).toEqual({ at: 8, isFollowed: false })
  expect(chat('{"a":1')).toEqual({ at: Infinity, isFollowed: false })
})

test('a stream of messages is finished with message_stop', () => {
  const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n'
  const delta = 'event: message_delta\ndata: {"type":"message_delta"}\n\n'
  expect(upstreamEndOf(Buffer.from(delta + stop), 'anthropic').at).toBe(delta.length + stop.length - 2)
  expect(upstreamEndOf(Buffer.from(delta), 'anthropic').at).toBe(Infinity)
})
