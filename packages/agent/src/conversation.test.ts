import { expect, test } from 'vitest'
import { HubError, type HubMessage, type HubToolResult, stopFor, usageOf } from '@hydra/core'
import { isLegal } from '../../core/src/history/is-legal.ts'
import { Conversation } from './conversation.ts'
import type { Layout } from './layouts.ts'
import { withoutIterationIds } from './openai-export.ts'
import { PartsTracker } from './parts-tracker.ts'

const NEEDS = { consecutiveTurns: 'keep', firstTurn: 'any' } as const
const LAYOUTS: readonly Layout[] = ['merged', 'parts', 'grouped']

function result(id: string, content: string): HubToolResult {
  return { type: 'tool_result', tool_use_id: id, content }
}

/** The iteration of the note on storing: words, a call, more words, another call. */
function twoCalls(): PartsTracker {
  const tracker = new PartsTracker()
  const say = (words: string): void => {
    tracker.blockStart({ type: 'text' })
    tracker.text(words)
  }
  const use = (id: string): void => {
    tracker.blockStart({ type: 'tool_use', id, name: 'Read' })
    tracker.inputJson(`{"path":"${id}"}`)
  }
  say('First a. ')
  use('a')
  say('Then b.')
  use('b')
  return tracker
}

function stored(): Conversation {
  const conversation = new Conversation({ system: 'Be brief.', messages: [{ role: 'user', content: 'Go' }] })
  const tracker = twoCalls()
  tracker.messageStop(stopFor('tool_use'), usageOf({}))
  tracker.result(result('b', '{"lines":2}'))
  tracker.result(result('a', 'A'))
  conversation.addIteration({ parts: tracker.parts })
  return conversation
}

function functionCall(id: string): object {
  return { id, type: 'function', function: { name: 'Read', arguments: `{"path":"${id}"}` } }
}

test('an iteration is stored in the hub form: one turn, and all results in the order of the calls', () => {
  const conversation = stored()
  expect(conversation.messages).toEqual([
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'First a. ' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'a' } },
        { type: 'text', text: 'Then b.' },
        { type: 'tool_use', id: 'b', name: 'Read', input: { path: 'b' } },
      ],
    },
    { role: 'user', content: [result('a', 'A'), result('b', '{"lines":2}')] },
  ])
  expect(isLegal(conversation.messages, NEEDS)).toBe(true)
})

test('merged: all text in one message together with all calls, then one message per result', () => {
  expect(stored().toOpenAI().messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: 'First a. \n\nThen b.',
      tool_calls: [functionCall('a'), functionCall('b')],
    },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: '{"lines":2}' },
  ])
})

test('parts: one message per part in order, each result directly behind its call', () => {
  expect(stored().toOpenAI('parts').messages.slice(2)).toEqual([
    { role: 'assistant', content: 'First a. ' },
    { role: 'assistant', content: null, tool_calls: [functionCall('a')] },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'assistant', content: 'Then b.' },
    { role: 'assistant', content: null, tool_calls: [functionCall('b')] },
    { role: 'tool', tool_call_id: 'b', content: '{"lines":2}' },
  ])
})

test('grouped: text, calls and results apart, with the id of the iteration, which can be taken off', () => {
  const { messages } = stored().toOpenAI('grouped')
  const iteration_id = 'iteration_1'
  expect(messages.slice(2)).toEqual([
    { role: 'assistant', content: 'First a. Then b.', iteration_id },
    { role: 'assistant', content: null, tool_calls: [functionCall('a'), functionCall('b')], iteration_id },
    { role: 'tool', tool_call_id: 'a', content: 'A', iteration_id },
    { role: 'tool', tool_call_id: 'b', content: '{"lines":2}', iteration_id },
  ])
  expect(JSON.stringify(messages.slice(0, 2))).not.toContain('iteration')
  expect(JSON.stringify(withoutIterationIds(messages))).not.toContain('iteration')
  expect(withoutIterationIds(messages)).toHaveLength(messages.length)
})

test.each(LAYOUTS)(
  '%s: an export that went through JSON comes back as it was, and the next id is free',
  (layout) => {
    const conversation = stored()
    const exported = JSON.parse(JSON.stringify(conversation.toOpenAI(layout))) as never
    const again = Conversation.fromOpenAI(exported)
    expect(again.messages).toEqual(conversation.messages)
    expect(again.system).toBe('Be brief.')
    expect(again.nextIteration).toBe('iteration_2')
    expect(again.toOpenAI(layout)).toEqual(conversation.toOpenAI(layout))
    expect(again.notes).toEqual([])
  },
)

test('grouped messages know their iterations without anything that was kept beside them', () => {
  const conversation = stored()
  const { messages } = conversation.toOpenAI('grouped')
  const again = Conversation.fromOpenAI({ messages })
  expect(again.nextIteration).toBe('iteration_2')
  expect(again.messages).toHaveLength(conversation.messages.length)
  expect(isLegal(again.messages, NEEDS)).toBe(true)
})

test('what OpenAI’s form cannot say is noted in the export, kept beside it, and comes back', () => {
  const messages: HubMessage[] = [
    { role: 'system', content: 'Midway and first.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'two' },
        { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'signed' },
        { type: 'tool_use', id: 'functions.Read:0', name: 'odd name', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'functions.Read:0', content: 'no such file', is_error: true },
        { type: 'text', text: 'And now?' },
      ],
    },
  ]
  const system = [
    { type: 'text' as const, text: 'a' },
    { type: 'text' as const, text: 'b' },
  ]
  const conversation = new Conversation({ system, messages })
  for (const layout of LAYOUTS) {
    const exported = conversation.toOpenAI(layout)
    expect(exported.messages.map(({ role }) => role)).toEqual([
      'system',
      'system',
      'user',
      'assistant',
      'tool',
      'user',
    ])
    expect(exported.messages[4]).toEqual({
      role: 'tool',
      tool_call_id: 'functions.Read:0',
      content: 'Error: no such file',
    })
    expect(exported.notes.map(({ code, path }) => `${code} ${path}`)).toEqual(
      expect.arrayContaining([
        'cache_control_dropped messages[1]',
        'file_left_out messages[1]',
        'thinking_dropped messages[2]',
      ]),
    )
    const again = Conversation.fromOpenAI(exported)
    expect(again.messages).toEqual(messages)
    expect(again.system).toEqual(system)
  }
})

test('a conversation without a system prompt that begins with a system message keeps it in its place', () => {
  const conversation = new Conversation({ messages: [{ role: 'system', content: 'Hear.' }] })
  const again = Conversation.fromOpenAI(conversation.toOpenAI())
  expect(again.system).toBeUndefined()
  expect(again.messages).toEqual(conversation.messages)
})

test('messages of anybody come back byte for byte, also where the hub has no word for them', () => {
  const messages = [
    { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: 'Hi', name: 'ada' },
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'x', format: 'mp3' } }] },
    {
      role: 'assistant',
      content: '',
      refusal: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'Read', arguments: '{ "path": 1 }' } },
        { id: 'b', type: 'function', function: { name: 'Read', arguments: 'no json' } },
        { id: 'c', type: 'custom', custom: { name: 'grep', input: 'x' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A' }] },
    { role: 'tool', tool_call_id: 'b', content: '' },
    { role: 'tool', tool_call_id: 'c', content: 'C' },
    { role: 'assistant', content: 'Well.', reasoning_content: 'Hm.' },
    { role: 'assistant', content: null, refusal: 'No.' },
  ] as never
  const conversation = Conversation.fromOpenAI({ messages })
  expect(conversation.toOpenAI().messages).toEqual(messages)
  expect(Conversation.fromOpenAI(conversation.toOpenAI()).toOpenAI().messages).toEqual(messages)
  expect(isLegal(conversation.messages, NEEDS)).toBe(true)
  expect(conversation.notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'field_not_in_hub messages[1].name',
    'part_left_out messages[2].content[0]',
    'custom_call messages[3]',
    'refusal_as_text messages[8]',
  ])
})

test('an export that was changed is read as it is now, and what was kept of it is void', () => {
  const exported = stored().toOpenAI()
  const messages = exported.messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: 'Other words.' } : message,
  )
  const again = Conversation.fromOpenAI({
    ...exported,
    messages: [...messages, { role: 'user', content: 'More' }],
  })
  expect(again.messages[1]?.content).toMatchObject([{ text: 'Other words.' }, { id: 'a' }, { id: 'b' }])
  expect(again.messages.at(-1)).toEqual({ role: 'user', content: 'More' })
  expect(again.notes).toMatchObject([{ code: 'kept_ignored', path: 'messages[2]' }])
  const shorter = Conversation.fromOpenAI({ ...exported, messages: exported.messages.slice(0, 2) })
  expect(shorter.messages).toEqual([{ role: 'user', content: 'Go' }])
})

test('what is no message in OpenAI’s form is refused with its place', () => {
  const messages = [{ role: 'user', content: 'Hi' }, { role: 'user' }] as never
  expect(() => Conversation.fromOpenAI({ messages })).toThrow('messages[1].content: expected string or array')
})

test('an iteration that broke off leaves a legal history that says so', () => {
  const conversation = new Conversation({ messages: [{ role: 'user', content: 'Go' }] })
  const tracker = twoCalls()
  tracker.error(new HubError('api_error', 'the upstream is gone'))
  conversation.addIteration({
    parts: tracker.parts,
    broken: 'The answer broke off here: the upstream is gone',
  })
  expect(isLegal(conversation.messages, NEEDS)).toBe(true)
  expect(conversation.messages.at(-1)?.content).toEqual([
    {
      ...result('a', 'This call was not run. The answer broke off here: the upstream is gone'),
      is_error: true,
    },
    {
      ...result(
        'b',
        'This call was cut off before its input was complete, and was not run. The answer broke off here: the upstream is gone',
      ),
      is_error: true,
    },
  ])
})

test('words that broke off say so, thinking without a signature is left out with a note, nothing stays nothing', () => {
  const conversation = new Conversation()
  conversation.addIteration({ parts: [], broken: 'The answer was stopped here.' })
  expect(conversation.messages).toEqual([])
  const tracker = new PartsTracker()
  tracker.blockStart({ type: 'text' })
  tracker.text('Half a sen')
  tracker.blockStart({ type: 'thinking' })
  tracker.thinking('Hm')
  tracker.error(new HubError('api_error', 'x'))
  conversation.addIteration({ parts: tracker.parts, broken: 'The answer was stopped here.' })
  expect(conversation.messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Half a sen' },
        { type: 'text', text: '[The answer was stopped here.]' },
      ],
    },
  ])
  expect(conversation.notes).toMatchObject([{ code: 'thinking_cut', path: 'iteration_2.content[1]' }])
})

test('an answer that was never completed does not look whole, whatever its caller says', () => {
  const conversation = new Conversation()
  const tracker = new PartsTracker()
  tracker.blockStart({ type: 'text' })
  tracker.text('Half a sen')
  conversation.addIteration({ parts: tracker.parts })
  tracker.blockStart({ type: 'tool_use', id: 'a', name: 'Read' })
  tracker.inputJson('{"pa')
  conversation.addIteration({ parts: tracker.parts.slice(1) })
  expect(conversation.messages.map(({ content }) => content)).toMatchObject([
    [{ text: 'Half a sen' }, { text: '[The answer broke off here.]' }],
    [{ id: 'a', input: { __unparsedToolInput: { raw: '{"pa' } } }],
    [{ tool_use_id: 'a', is_error: true, content: expect.stringContaining('cut off') as string }],
  ])
})

test('results that are added later stay with their calls', () => {
  const conversation = new Conversation({ messages: [{ role: 'user', content: 'Go' }] })
  conversation.add({ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] })
  conversation.add({ role: 'user', content: [result('a', 'A')] }, { role: 'user', content: 'And?' })
  expect(conversation.toOpenAI().kept.units.map(({ messages }) => messages)).toEqual([1, 2, 1])
  expect(conversation.messages).toHaveLength(4)
})

test('a history that came broken is repaired once, with notes, and what was fine stays the same object', () => {
  const question: HubMessage = { role: 'user', content: 'Go' }
  const conversation = new Conversation({
    messages: [
      question,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Read', input: {} }] },
      { role: 'user', content: 'Never mind.' },
    ],
  })
  conversation.repair()
  expect(isLegal(conversation.messages, NEEDS)).toBe(true)
  expect(conversation.messages[0]).toBe(question)
  expect(conversation.notes).toMatchObject([{ code: 'result_invented' }])
  const before = conversation.messages
  conversation.repair()
  expect(conversation.messages).toEqual(before)
})
