import { expect, test } from 'vitest'
import { exchange } from '../../../test/exchanges.ts'
import { replayExchange } from '@hydra/tape'
import { checkMessagesGrammar } from './messages.ts'

function legal(): string {
  const replay = replayExchange(exchange())
  if ('reason' in replay) throw new Error(replay.reason)
  return Buffer.from(replay.answer.bytes).toString()
}

const good = legal()
const events = good.slice(0, -2).split('\n\n')
const join = (list: readonly string[]): string => list.map((event) => `${event}\n\n`).join('')
const without = (name: string): string =>
  join(events.filter((event) => !event.startsWith(`event: ${name}\n`)))
const error = 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"b"}}\n\n'

test('what the translator writes is legal and ends cleanly', () => {
  expect(checkMessagesGrammar(good)).toEqual({ end: 'clean' })
})

test('an error may come alone, between blocks or in the middle of one', () => {
  for (let length = 0; length < events.length - 1; length += 1) {
    expect(checkMessagesGrammar(join(events.slice(0, length)) + error)).toMatchObject({ end: 'error' })
  }
})

test.for([
  ['nothing', ''],
  ['no end', join(events.slice(0, -1))],
  ['no start', without('message_start')],
  ['no start of a block', without('content_block_start')],
  ['no stop of a block', without('content_block_stop')],
  ['no message_delta', without('message_delta')],
  ['a second end', good + (events.at(-1) ?? '') + '\n\n'],
  ['an error after the end', good + error],
  ['an error after message_delta', join(events.slice(0, -1)) + error],
  ['an event without its blank line', good.slice(0, -1)],
  ['another name', good.replace('event: message_stop', 'event: message_end')],
  ['a comment', `: hello\n\n${good}`],
  ['an index too high', good.replaceAll('"index":0', '"index":1')],
  ['a delta of another kind', good.replaceAll('text_delta', 'thinking_delta')],
  ['no reason to stop', good.replace('"stop_reason":"end_turn"', '"stop_reason":null')],
  ['a stop for a call that is not there', good.replace('"end_turn"', '"tool_use"')],
  ['data that is no JSON', good.replace('{"type":"message_stop"}', '{"type":"message_stop"')],
  ['an error without words', error.replace('"b"', '""')],
] as const)('a stream with %s is refused', ([, output]) => {
  expect(checkMessagesGrammar(output)).toHaveProperty('violation')
})
