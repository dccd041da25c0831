import { expect, test } from 'vitest'
import { streamFixture } from './fixtures.ts'
import { inputOf, readStream } from './grammar.ts'
import { chatTranslator, translate } from './translator.ts'

const { bytes, setup } = streamFixture('openai-call-in-pieces')
const good = translate(chatTranslator(setup), bytes)
const events = good.slice(0, -2).split('\n\n')
const join = (list: readonly string[]): string => list.map((event) => `${event}\n\n`).join('')
const without = (name: string): string =>
  join(events.filter((event) => !event.startsWith(`event: ${name}\n`)))

test('the stream that the faults below are made from is legal', () => {
  const { blocks, end, error } = readStream(good)
  expect(blocks.map(inputOf)).toEqual([{ file_path: '/tmp/x', limit: 20 }])
  expect([end?.delta.stop_reason, error]).toEqual(['tool_use', undefined])
})

test.for([
  ['no end', join(events.slice(0, -1))],
  ['nothing', ''],
  ['no start', without('message_start')],
  ['no start of a block', without('content_block_start')],
  ['no stop of a block', without('content_block_stop')],
  ['no message_delta', without('message_delta')],
  ['no input', without('content_block_delta')],
  ['a second end', good + (events.at(-1) ?? '') + '\n\n'],
  ['something after the end', `${good}event: ping\ndata: {"type":"ping"}\n\n`],
  ['an event without its blank line', good.slice(0, -1)],
  ['another name', good.replace('event: message_stop', 'event: message_end')],
  ['a comment', `: hello\n\n${good}`],
  [
    'data in two lines',
    good.replace('data: {"type":"message_stop"}', 'data: {"type":\ndata: "message_stop"}'),
  ],
  ['an index too high', good.replaceAll('"index":0', '"index":1')],
  ['a delta of another kind', good.replaceAll('input_json_delta","partial_json', 'text_delta","text')],
  ['an empty delta', good.replace('"partial_json":"20}"', '"partial_json":""')],
  ['an id with a dot', good.replace('call_Wm3', 'call.Wm3')],
  ['a call without an input', good.replace('"input":{},', '')],
  ['a foreign message id', good.replace('msg_test', 'chatcmpl-1')],
  [
    'no stop sequence',
    good.replace(
      '"stop_sequence":null,"stop_details":null,"container":null},"usage',
      '"container":null},"usage',
    ),
  ],
  ['a count that is null', good.replace('"input_tokens":61', '"input_tokens":null')],
  [
    'an error after the end of the message',
    good.replace(
      /event: message_stop\n.*\n/,
      'event: error\ndata: {"type":"error","error":{"type":"a","message":"b"}}\n',
    ),
  ],
  [
    'an error without words',
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":""}}\n\n',
  ],
  ['tool_use without a call', join([events[0] ?? '', ...events.slice(-2)])],
] as const)('a stream with %s is refused', ([, output]) => {
  expect(() => readStream(output)).toThrow()
})

test('an error may come alone, between blocks or in the middle of one', () => {
  const error = 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"b"}}\n\n'
  expect(readStream(error).error?.message).toBe('b')
  for (let length = 1; length < events.length - 1; length += 1) {
    expect(readStream(join(events.slice(0, length)) + error).error?.type).toBe('api_error')
  }
})
