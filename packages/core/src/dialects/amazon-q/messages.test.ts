import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/amazon-q/check-turns.ts'
import {
  assistant,
  brief,
  briefUser,
  call,
  conversation,
  encodeTurns,
  result,
  user,
} from '../../../test/amazon-q/encode.ts'
import { noted } from '../../../test/requests/encode.ts'

interface Shape {
  readonly history: readonly string[]
  readonly current: string
  readonly notes: readonly string[]
}

/** What becomes of these messages, in few words; whatever it is, it is legal. */
function shapeOf(...messages: readonly unknown[]): Shape {
  const encoded = encodeTurns(conversation(messages))
  expect(faultsOf(encoded.state)).toEqual([])
  return {
    history: encoded.history.map(brief),
    current: briefUser(encoded.current),
    notes: noted(encoded).filter((note) => !note.startsWith('field_ignored')),
  }
}

test('worked example: user, call, result become 2 history entries and a current message', () => {
  expect(shapeOf(user('Look.'), assistant(call('a')), user(result('a', 'A')))).toEqual({
    history: ['user | Look.', 'assistant |  | call a'],
    current: 'user |  | success a: A',
    notes: [],
  })
})

test('worked example: two rounds of calls become 4 history entries and a current message, each round apart', () => {
  const rounds = [
    user('Look.'),
    assistant('First.', call('a')),
    user(result('a', 'A')),
    assistant('Then.', call('b')),
    user(result('b', 'B')),
  ]
  expect(shapeOf(...rounds)).toEqual({
    history: [
      'user | Look.',
      'assistant | First. | call a',
      'user |  | success a: A',
      'assistant | Then. | call b',
    ],
    current: 'user |  | success b: B',
    notes: [],
  })
})

test('worked example: user, call, result, follow-up, assistant: the result and the follow-up are two entries in that order', () => {
  const shape = shapeOf(
    user('Look.'),
    assistant(call('a')),
    user(result('a', 'A')),
    user('And now?'),
    assistant('Done.'),
  )
  expect(shape).toEqual({
    history: [
      'user | Look.',
      'assistant |  | call a',
      'user |  | success a: A',
      'assistant | (no answer)',
      'user | And now?',
      'assistant | Done.',
    ],
    current: 'user | Continue.',
    notes: ['turn_invented messages[3]', 'prefill_kept messages[4]', 'current_invented messages[4]'],
  })
})

test('worked example: three consecutive user messages (result 1, result 2, a question): both results and the question arrive', () => {
  const shape = shapeOf(
    user('Look.'),
    assistant(call('a'), call('b')),
    user(result('a', 'A')),
    user(result('b', 'B')),
    user('What do you see?'),
  )
  expect(shape).toEqual({
    history: [
      'user | Look.',
      'assistant |  | call a | call b',
      'user |  | success a: A | success b: B',
      'assistant | (no answer)',
    ],
    current: 'user | What do you see?',
    notes: ['result_moved messages[3].content[0]', 'turn_invented messages[4]'],
  })
})

test('consecutive user turns: the results of all of them are kept, none only from the first', () => {
  const ids = ['a', 'b', 'c', 'd']
  const { current } = encodeTurns(
    conversation([
      user('Look.'),
      assistant(...ids.map((id) => call(id))),
      ...ids.map((id) => user(result(id, id))),
    ]),
  )
  expect(current.userInputMessageContext?.toolResults?.map(({ toolUseId }) => toolUseId)).toEqual(ids)
})

test('what stands in one turn with a result stays with it', () => {
  expect(shapeOf(user('Look.'), assistant(call('a')), user(result('a', 'A'), 'Well?')).current).toBe(
    'user | Well? | success a: A',
  )
})

test('results come in the order of their calls', () => {
  const messages = [user('Look.'), assistant(call('a'), call('b')), user(result('b', 'B'), result('a', 'A'))]
  expect(shapeOf(...messages).current).toBe('user |  | success a: A | success b: B')
})

test.each([
  ['before', [result('a', 'failed', true), result('a', 'fine')]],
  ['after', [result('a', 'fine'), result('a', 'failed', true)]],
])('each result comes once, and an error wins, whether it came %s the other', (_when, results) => {
  const shape = shapeOf(user('Look.'), assistant(call('a')), user(...results))
  expect(shape.current).toBe('user |  | error a: failed')
  expect(shape.notes).toEqual([expect.stringMatching(/^result_duplicate messages\[2\]\.content\[\d\]$/)])
})

test('an error that only stands in for a result does not win over the result', () => {
  const standIn = 'The tool call was interrupted and has no result.'
  const results = user(result('a', standIn, true), result('a', 'fine'))
  expect(shapeOf(user('Look.'), assistant(call('a')), results).current).toBe('user |  | success a: fine')
})

test.each([
  ['nothing', undefined, false, 'success a: (no output)'],
  ['an empty text', '', false, 'success a: (no output)'],
  ['empty blocks', [{ type: 'text', text: '' }], false, 'success a: (no output)'],
  ['a failure without words', '', true, 'error a: The tool failed without a message.'],
])('empty results say what happened truthfully: %s', (_name, content, isError, said) => {
  const messages = [user('Look.'), assistant(call('a')), user(result('a', content, isError))]
  expect(shapeOf(...messages).current).toBe(`user |  | ${said}`)
})

test('a call without a result gets one that says that it was interrupted', () => {
  const shape = shapeOf(user('Look.'), assistant(call('a')), user('Never mind.'))
  expect(shape.current).toBe('user | Never mind. | error a: The tool call was interrupted and has no result.')
  expect(shape.notes).toEqual(['result_invented messages[1].content[0]'])
})

test('consecutive assistant turns merge, and the results of all their calls follow', () => {
  const messages = [
    user('Look.'),
    assistant('One.', call('a')),
    assistant('Two.', call('b')),
    user(result('a', 'A'), result('b', 'B')),
  ]
  expect(shapeOf(...messages)).toMatchObject({
    history: ['user | Look.', 'assistant | One.\n\nTwo. | call a | call b'],
    current: 'user |  | success a: A | success b: B',
    notes: ['turns_merged messages[2]'],
  })
})

test('assistant turns with nothing but empty turns between them merge too', () => {
  const messages = [user('Look.'), assistant('One.'), user(''), assistant('Two.'), user('Go on.')]
  expect(shapeOf(...messages)).toEqual({
    history: ['user | Look.', 'assistant | One.\n\nTwo.'],
    current: 'user | Go on.',
    notes: ['turns_merged messages[3]'],
  })
})

test('a history that starts with the assistant gets a minimal user turn', () => {
  const shape = shapeOf(assistant('Hello.'), user('Hi.'))
  expect(shape.history).toEqual(['user | (conversation continues)', 'assistant | Hello.'])
  expect(shape.notes).toEqual(['turn_invented messages[0]'])
})

test('a trailing assistant turn is kept', () => {
  const shape = shapeOf(user('Count.'), assistant('One, two'))
  expect(shape.history).toEqual(['user | Count.', 'assistant | One, two'])
  expect(shape.current).toBe('user | Continue.')
  expect(shape.notes).toEqual(['prefill_kept messages[1]', 'current_invented messages[1]'])
})

test('consecutive texts of the user become one turn', () => {
  expect(shapeOf(user('One.'), user('Two.'))).toEqual({
    history: [],
    current: 'user | One.\n\nTwo.',
    notes: ['turns_merged messages[1]'],
  })
})

test.each([
  ['alone', [user('Again?'), user('Again?')], 'user | Again?'],
  [
    'behind a result',
    [user('Look.'), assistant(call('a')), user(result('a', 'A'), 'Again?'), user('Again?')],
    'user | Again? | success a: A',
  ],
])(
  'the same user text never stands both at the end of the history and in the current message: %s',
  (_name, messages, current) => {
    const shape = shapeOf(...messages)
    expect(shape.current).toBe(current)
    expect(JSON.stringify(shape.history)).not.toContain('Again?')
    expect(shape.notes).toEqual([`turn_repeated messages[${messages.length - 1}]`])
  },
)

test('a question that was answered may be asked again', () => {
  const shape = shapeOf(user('Again?'), assistant('Yes.'), user('Again?'))
  expect(shape).toMatchObject({ history: ['user | Again?', 'assistant | Yes.'], current: 'user | Again?' })
})

test.each([
  ['a text', [user('Hi.')], '<system_prompt>\nBe brief.\n</system_prompt>\n\nHi.'],
  [
    'only results',
    [user('Look.'), assistant(call('a')), user(result('a', 'A'))],
    '<system_prompt>\nBe brief.\n</system_prompt>',
  ],
])(
  'the system prompt goes along on every turn, also when the turn carries %s',
  (_name, messages, content) => {
    const { current, history, notes } = encodeTurns(conversation(messages, { system: 'Be brief.' }))
    expect(current.content).toBe(content)
    expect(JSON.stringify(history)).not.toContain('Be brief.')
    expect(notes).toContainEqual(expect.objectContaining({ code: 'system_in_message', path: 'system' }))
  },
)

test('a system message between the turns is a reminder on the side of the user', () => {
  const system = { role: 'system', content: 'Mind the gap.' }
  const shape = shapeOf(user('Look.'), assistant(call('a')), system, user(result('a', 'A')), user('And?'))
  expect(shape.history[2]).toBe('user | <system-reminder>\nMind the gap.\n</system-reminder> | success a: A')
  expect(shape.notes).toContain('system_as_reminder messages[2]')
})

test('turns that say nothing are no request', () => {
  expect(() => encodeTurns(conversation([user('')]))).toThrow('expected something to answer, got empty turns')
})

test('thinking of earlier turns is dropped with a note', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' }
  const shape = shapeOf(user('Hi.'), assistant(thinking, 'Hello.'), user('Well?'))
  expect(shape.history[1]).toBe('assistant | Hello.')
  expect(shape.notes).toEqual(['thinking_dropped messages[1].content[0]'])
})
