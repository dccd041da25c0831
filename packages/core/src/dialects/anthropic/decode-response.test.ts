import { expect, test } from 'vitest'
import { outlineOf, type AnswerOutline } from '../../../test/streams/answer.ts'
import { chatCollector, messagesTranslator } from '../../../test/streams/translator.ts'
import { streamFixtures } from '../../../test/streams/fixtures.ts'
import { UNSIGNED } from '../../identity/envelope.ts'
import { encodeResponse } from './encode-response.ts'

const read = (body: unknown): AnswerOutline => outlineOf(messagesTranslator(), JSON.stringify(body))
const message = (content: readonly object[], rest: object = {}): object => ({
  id: 'msg_theirs',
  type: 'message',
  role: 'assistant',
  model: 'theirs',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: null },
  ...rest,
})

test('S6 a whole message in place of a stream is unfolded into events', () => {
  const body = message(
    [
      { type: 'thinking', thinking: 'Hm', signature: 's' },
      { type: 'text', text: 'Hi' },
      { type: 'text', text: 'there' },
      { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { a: 1 } },
    ],
    { stop_reason: 'tool_use' },
  )
  const { blocks, stop, usage } = read(body)
  expect(blocks).toEqual(['thinking Hm #s', 'text Hi', 'text there', 'toolu_1 Read {"a":1}'])
  expect([stop, usage]).toEqual(['tool_use', [3, 4, 0, 0]])
})

test('the stop sequence and the details of a refusal are kept', () => {
  const { stop, stopSequence } = read(message([], { stop_reason: 'stop_sequence', stop_sequence: 'X' }))
  expect([stop, stopSequence]).toEqual(['stop_sequence', 'X'])
})

test('F13 an error in place of a message is that error', () => {
  const { error, translator } = read({
    type: 'error',
    error: { type: 'rate_limit_error', message: 'Slow down' },
  })
  expect([error, translator.started, translator.failure?.status]).toEqual([
    'rate_limit_error: Slow down',
    false,
    429,
  ])
})

test.for([[[]], [{ type: 'message' }], [{ type: 'message', content: 'Hi' }], [{ choices: [] }]])(
  'a body like %j is a failure of the class 502',
  ([body]) => {
    const { error, translator } = read(body)
    expect(error).toMatch(/^overloaded_error: Overloaded: anthropic: expected a message/)
    expect(translator.failure?.status).toBe(502)
  },
)

test.for(streamFixtures())(
  'the message of $name is the answer, with unsigned thinking marked',
  ({ bytes, setup }) => {
    const collector = chatCollector(setup)
    collector.push(bytes)
    collector.end()
    const { message: collected, failure } = collector
    if (collected === undefined) expect(failure).toBeDefined()
    else {
      const marked = JSON.stringify(collected).replaceAll('"signature":""', `"signature":"${UNSIGNED}"`)
      expect(encodeResponse(collected)).toEqual(JSON.parse(marked))
    }
  },
)

test('a whole message that does not say why it ended is no end', () => {
  expect(read(message([{ type: 'text', text: 'Hi' }], { stop_reason: null })).error).toContain('stop_reason')
})

test.for([
  [{ error: { type: 'rate_limit_error', message: 'Slow down' } }],
  [[{ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }]],
])('the error %j in place of a message keeps its words', ([body]) => {
  expect(read(body).error).toBe('rate_limit_error: Slow down')
})

test('a message whose content is null is an empty one', () => {
  const { blocks, stop } = read({ ...message([]), content: null })
  expect([blocks, stop]).toEqual([[], 'end_turn'])
})
