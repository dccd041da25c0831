import { expect, test } from 'vitest'
import { registry } from '../../src/dialects/registry.ts'
import { readerOf } from './client-reader.ts'
import { pickFrom } from './meant-answer.ts'
import { PAIRS, translate } from './pair.ts'
import { readResponses } from './readers/read-responses.ts'
import { writerOf } from './upstream-writer.ts'

test('every registered client meets every registered upstream', () => {
  expect(PAIRS.length).toBe(registry.clients.length * registry.upstreams.length)
  expect(new Set(PAIRS.map(({ name }) => name)).size).toBe(PAIRS.length)
})

test('a dialect that nothing here can play is named', () => {
  expect(() => writerOf('esperanto')).toThrow('write test/pairs/writers/esperanto.ts')
  expect(() => readerOf('esperanto')).toThrow('write test/pairs/readers/esperanto.ts')
})

const pair = PAIRS.find(({ name }) => name === 'openai-responses × anthropic')
const good =
  pair === undefined
    ? ''
    : translate(
        pair,
        pair.writer.write(
          {
            blocks: [
              { type: 'thinking', pieces: ['Hm.'], proof: 'cHJvb2Y=' },
              { type: 'text', pieces: ['Yes, ', 'I do.'], proof: '' },
              { type: 'tool_use', id: 'call_0', name: 'Read', input: { path: 'x' } },
            ],
            stop: 'end',
          },
          pickFrom([1]),
        ).bytes,
      )

test('the reader of Responses reads a good stream', () => {
  expect(readResponses(good).response).toMatchObject({ status: 'completed', error: null })
})

test.each([
  ['no end', good.slice(0, good.lastIndexOf('event: '))],
  ['half an event', good.slice(0, -1)],
  ['a number left out', good.replace('"sequence_number":4}', '"sequence_number":5}')],
  ['another name than its type', good.replace('event: response.in_progress', 'event: response.queued')],
  ['no beginning', good.slice(good.indexOf('event: response.in_progress'))],
  ['another id on the way', good.replace('"response":{"id":"resp_1"', '"response":{"id":"resp_2"')],
  ['a delta of another item', good.replace('"item_id":"msg_1_1"', '"item_id":"msg_1_9"')],
  ['an empty delta', good.replace('"delta":"Yes, "', '"delta":""')],
  ['a text that is not what the deltas say', good.replace('"delta":"Yes, "', '"delta":"No, "')],
  ['a summary that is not what the deltas say', good.replace('"delta":"Hm."', '"delta":"Ah."')],
  ['arguments that are not what the deltas say', good.replace('"delta":"{', '"delta":" {')],
  ['an end that repeats something else', good.replace(/"output":\[\{.*\],"usage"/, '"output":[],"usage"')],
  ['usage that does not add up', good.replace('"total_tokens":18', '"total_tokens":19')],
  ['something after the end', good + good.slice(0, good.indexOf('\n\n') + 2)],
  ['an item that was never closed', without('response.output_item.done')],
  ['a part that was never closed', without('response.content_part.done')],
  ['a text that was never closed', without('response.output_text.done')],
  ['arguments that were never closed', without('response.function_call_arguments.done')],
])('the reader of Responses refuses %s', (_fault, output) => {
  expect(output).not.toBe(good)
  expect(() => readResponses(output)).toThrow()
})

/** The good stream without the events of a type, numbered anew. */
function without(type: string): string {
  let number = -1
  return good
    .split('\n\n')
    .filter((event) => !event.startsWith(`event: ${type}\n`))
    .map((event) => {
      number += 1
      return event.replace(/"sequence_number":\d+/, `"sequence_number":${number}`)
    })
    .join('\n\n')
}
