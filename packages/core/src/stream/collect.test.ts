import { expect, test } from 'vitest'
import { streamFixtures } from '../../test/streams/fixtures.ts'
import { chatCollector } from '../../test/streams/translator.ts'
import { HubError } from '../hub/error.ts'
import { stopFor } from '../hub/message.ts'
import { usageOf } from '../hub/usage.ts'
import { Collector } from './collect.ts'
import { unfold } from './unfold.ts'

const HEAD = { id: 'msg_1', model: 'm', usage: usageOf({}) }

function collected(json: string): unknown {
  const collector = new Collector()
  collector.messageStart(HEAD)
  collector.blockStart({ type: 'tool_use', id: 'c', name: 'Read' })
  for (const piece of json) collector.inputJson(piece)
  collector.blockStop()
  collector.messageStop(stopFor('tool_use'), usageOf({}))
  const block = collector.message?.content[0]
  return block?.type === 'tool_use' ? block.input : undefined
}

test('the input of a call is an object', () => {
  expect(collected('{"a":[1]}')).toEqual({ a: [1] })
  expect(collected('')).toEqual({})
})

test.for(['{"a":', 'ls', '[1]', 'null', '"a"', '5'])('C19 the input %s stays visible', (json) => {
  expect(collected(json)).toEqual({ __unparsedToolInput: { raw: json, len: json.length } })
})

test('a message that failed is none', () => {
  const collector = new Collector()
  collector.messageStart(HEAD)
  collector.blockStart({ type: 'text' })
  collector.text('a')
  collector.error(new HubError('api_error', 'no'))
  expect([collector.message, collector.failure?.message]).toEqual([undefined, 'no'])
})

test('citations are gathered in their text', () => {
  const collector = new Collector()
  const citation = { type: 'char_location', cited_text: 'a' } as never
  collector.messageStart(HEAD)
  collector.blockStart({ type: 'text' })
  collector.extra({ type: 'citations_delta', citation })
  collector.text('a')
  collector.extra({ type: 'citations_delta', citation })
  collector.blockStop()
  collector.messageStop(stopFor('end_turn'), usageOf({}))
  expect(collector.message?.content).toEqual([{ type: 'text', text: 'a', citations: [citation, citation] }])
})

test.for(streamFixtures())(
  'the message of $name, unfolded and collected again, is the same',
  ({ bytes, setup }) => {
    const first = chatCollector(setup)
    first.push(bytes)
    first.end()
    if (first.message === undefined) {
      expect(first.failure).toBeInstanceOf(HubError)
      return
    }
    const second = new Collector()
    unfold(first.message, second)
    expect(second.message).toEqual(first.message)
  },
)
