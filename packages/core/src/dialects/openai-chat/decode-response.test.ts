import { expect, test } from 'vitest'
import { answerTo } from '../../../test/streams/answer.ts'
import { usage } from '../../../test/streams/chat-chunks.ts'

const body = (choice: object, beside: object = usage(5, 3)): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, ...choice }],
    ...beside,
  })
const toolCall = { id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{"a":1}' } }

test('S6 one JSON body in place of a stream is unfolded into events', () => {
  const message = { role: 'assistant', content: 'Look', reasoning_content: 'Hm', tool_calls: [toolCall] }
  const outline = answerTo(body({ message, finish_reason: 'tool_calls' }))
  expect(outline.blocks).toEqual(['thinking Hm', 'text Look', 'call_1 Read {"a":1}'])
  expect([outline.stop, outline.usage]).toEqual(['tool_use', [5, 3, 0, 0]])
})

test('S6 blank lines before the body do not matter', () => {
  const { blocks } = answerTo(`\n   \r\n${body({ message: { content: 'Hi' }, finish_reason: 'stop' })}\n`)
  expect(blocks).toEqual(['text Hi'])
})

test('S6 nothing is said before the body is whole', () => {
  const { error, translator } = answerTo(
    body({ message: { content: 'Hi' }, finish_reason: 'stop' }).slice(0, -1),
  )
  expect(error).toBe('overloaded_error: Overloaded: upstream: the JSON answer is cut off or not JSON')
  expect(translator.started).toBe(false)
})

test('an answer without a finish reason that is whole is a clean end', () => {
  const { blocks, stop } = answerTo(body({ message: { content: 'Hi' }, finish_reason: '' }))
  expect([blocks, stop]).toEqual([['text Hi'], 'end_turn'])
})

test('content as an object is its JSON', () => {
  expect(answerTo(body({ message: { content: { a: 1 } }, finish_reason: 'stop' })).blocks).toEqual([
    'text {"a":1}',
  ])
})

test('an empty delta beside the message does not hide it', () => {
  const { blocks } = answerTo(
    body({ message: { content: 'Hi' }, delta: { content: '' }, finish_reason: 'stop' }),
  )
  expect(blocks).toEqual(['text Hi'])
})

test('only the first choice counts, whatever its index', () => {
  const choices = [
    { index: 3, message: { content: 'a' }, finish_reason: 'stop' },
    { index: 0, message: { content: 'b' }, finish_reason: 'stop' },
  ]
  const { blocks, notes } = answerTo(JSON.stringify({ choices, ...usage(1, 1) }))
  expect([blocks, notes]).toEqual([['text a'], ['choice_ignored']])
})

test.for([
  ['no choices', {}],
  ['empty choices', { choices: [] }],
  ['null', null],
  ['a list', []],
] as const)('a body with %s is a failure of the class 502', ([, value]) => {
  const { error, translator } = answerTo(value === null ? '[null]' : JSON.stringify(value))
  expect(error).toMatch(/^overloaded_error: Overloaded: openai-chat: expected /)
  expect([translator.started, translator.failure?.status]).toEqual([false, 502])
})

test('a call without a name is a failure that says where it comes from', () => {
  const message = { content: 'a', tool_calls: [{ id: 'call_1', function: { arguments: '{}' } }] }
  const { error } = answerTo(body({ message, finish_reason: 'tool_calls' }))
  expect(error).toBe(
    'overloaded_error: Overloaded: openai-chat: expected the name of the call call_1 to be a string, got nothing',
  )
})

test('F13 an error as an answer with status 200 is that error', () => {
  const { error, translator } = answerTo('{"error":{"message":"No endpoints","code":404}}')
  expect(error).toBe('not_found_error: No endpoints')
  expect([translator.started, translator.failure?.status]).toEqual([false, 404])
})

test('F13 an error in a choice of an answer is that error', () => {
  const choice = { message: { content: 'a' }, error: { message: 'Cut', code: 502 }, finish_reason: 'error' }
  expect(answerTo(body(choice)).error).toBe('overloaded_error: Overloaded: Cut')
})

test.for([{}, { index: 0 }])(
  'calls of one body that share their id are one block each, with %j too',
  (place) => {
    const called = (name: string, json: string): object => ({
      ...place,
      id: 'x',
      function: { name, arguments: json },
    })
    const message = { tool_calls: [called('Read', '{"n":1}'), called('Read', '{"n":2}'), called('Bash', '')] }
    const { blocks, stop } = answerTo(body({ message, finish_reason: 'tool_calls' }))
    expect(blocks.map((block) => block.replace(/^\S+ /, ''))).toEqual([
      'Read {"n":1}',
      'Read {"n":2}',
      'Bash {}',
    ])
    expect([blocks[0], new Set(blocks.map((block) => block.split(' ')[0])).size, stop]).toEqual([
      'x Read {"n":1}',
      3,
      'tool_use',
    ])
  },
)

test('choices without numbers are one answer', () => {
  const choices = [
    { message: { content: 'Look' }, finish_reason: 'tool_calls' },
    { message: { content: null, tool_calls: [toolCall] }, finish_reason: 'tool_calls' },
    { message: { tool_calls: [{ ...toolCall, id: 'call_2' }] }, finish_reason: 'tool_calls' },
  ]
  const { blocks, stop, notes } = answerTo(JSON.stringify({ choices, ...usage(5, 3) }))
  expect(blocks).toEqual(['text Look', 'call_1 Read {"a":1}', 'call_2 Read {"a":1}'])
  expect([stop, notes]).toEqual(['tool_use', []])
})
