import { expect, test } from 'vitest'
import { Notes } from '../hub/note.ts'
import type { HubBlock, HubMessage, HubToolResult, HubToolUse } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import type { HistoryNeeds } from './repair.ts'
import { repair } from './repair.ts'

const user = (...content: HubBlock[]): HubMessage => ({ role: 'user', content })
const assistant = (...content: HubBlock[]): HubMessage => ({ role: 'assistant', content })
const system = (content: string): HubMessage => ({ role: 'system', content })
const text = (words: string): HubBlock => ({ type: 'text', text: words })
const call = (id: string): HubToolUse => ({ type: 'tool_use', id, name: 'Read', input: {} })
const result = (id: string, content = `result of ${id}`): HubToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
const interrupted = (id: string): HubToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'The tool call was interrupted and has no result.',
  is_error: true,
})

const KEEP: HistoryNeeds = { consecutiveTurns: 'keep', firstTurn: 'any' }
const MERGE: HistoryNeeds = { consecutiveTurns: 'merge', firstTurn: 'user' }
const ORPHAN = '[Result of an earlier tool call that is no longer part of the conversation]'

interface Repaired {
  readonly messages: readonly HubMessage[]
  /** The notes as `code path`. */
  readonly notes: string[]
}

function repaired(messages: HubMessage[], needs: HistoryNeeds = KEEP): Repaired {
  const notes = new Notes()
  const after = repair(messages, needs, notes)
  return { messages: after, notes: notes.list.map(({ code, path }) => `${code} ${path}`) }
}

function expectUntouched(messages: HubMessage[], needs: HistoryNeeds): void {
  const { messages: after, notes } = repaired(messages, needs)
  expect(notes).toEqual([])
  expect(after).toHaveLength(messages.length)
  messages.forEach((message, index) => expect(after[index]).toBe(message))
}

test('the standard flow of a tool call is passed on as the same objects', () => {
  const messages = [user(text('M')), assistant(call('a')), user(result('a'))]
  expectUntouched(messages, KEEP)
  expectUntouched(messages, MERGE)
})

test('several rounds of tool calls stay rounds of their own', () => {
  const rounds = ['a', 'b'].flatMap((id) => [assistant(text('hm'), call(id)), user(result(id))])
  expectUntouched([user(text('M')), ...rounds], KEEP)
  expectUntouched([user(text('M')), ...rounds], MERGE)
})

test('a question after a turn with results stays a turn of its own where the target takes it', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    user(result('a')),
    user(text('and?')),
    assistant(text('done')),
  ]
  expectUntouched(messages, KEEP)
})

test('merging consecutive user turns keeps the results of all of them', () => {
  const messages = [
    user(text('M')),
    assistant(call('t1'), call('t2')),
    user(result('t1')),
    user(result('t2')),
    user(text('question')),
  ]
  expect(repaired(messages, MERGE)).toEqual({
    messages: [messages[0], messages[1], user(result('t1'), result('t2'), text('question'))],
    notes: ['turns_merged messages[3]', 'turns_merged messages[4]'],
  })
})

test('strings, empty turns, reminders and results with words after them are left alone', () => {
  const messages: HubMessage[] = [
    { role: 'system' },
    { role: 'user', content: 'M' },
    { role: 'assistant', content: '' },
    { role: 'user', content: [] },
    assistant({ type: 'thinking', thinking: 'hm', signature: 's' }, call('a'), call('b')),
    user(result('a'), result('b'), text('<system-reminder>x</system-reminder>')),
    system('news'),
    { role: 'assistant', content: 'done' },
  ]
  expectUntouched(messages, KEEP)
  expectUntouched(messages, MERGE)
})

test('H1 a call without a result gets a stand-in that says so', () => {
  const asked = assistant(call('a'), call('b'))
  expect(repaired([user(text('M')), asked, user(text('stop'), result('b'))])).toEqual({
    messages: [user(text('M')), asked, user(interrupted('a'), result('b'), text('stop'))],
    notes: ['result_invented messages[1].content[0]'],
  })
})

test('H1 a stand-in gets a user turn of its own before an assistant turn and at the end', () => {
  const messages = [user(text('M')), assistant(call('a')), assistant(call('b'))]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(interrupted('a')), messages[2], user(interrupted('b'))],
    notes: ['result_invented messages[1].content[0]', 'result_invented messages[2].content[0]'],
  })
})

test('H1 a stand-in before the words of a turn that was a string', () => {
  const messages: HubMessage[] = [user(text('M')), assistant(call('a')), { role: 'user', content: 'stop' }]
  expect(repaired(messages).messages[2]).toEqual(user(interrupted('a'), text('stop')))
  messages[2] = { role: 'user', content: '' }
  expect(repaired(messages).messages[2]).toEqual(user(interrupted('a')))
})

test('H1 the stand-in for a call of a toolset names the toolset', () => {
  const messages = [user(text('M')), assistant({ ...call('a'), toolset_name: 'browser' })]
  expect(repaired(messages).messages[2]).toEqual(user({ ...interrupted('a'), toolset_name: 'browser' }))
})

test('H2 a result without a call becomes user text in its place', () => {
  const messages = [user(text('summary'), result('gone', 'found it'), text('go on')), assistant(text('yes'))]
  expect(repaired(messages)).toEqual({
    messages: [user(text('summary'), text(ORPHAN), text('found it'), text('go on')), messages[1]],
    notes: ['result_without_call messages[0].content[1]'],
  })
})

test('H2 what a result holds beside text is kept, and an error says so', () => {
  const image: HubBlock = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
  const orphan: HubToolResult = {
    type: 'tool_result',
    tool_use_id: 'gone',
    is_error: true,
    cache_control: { type: 'ephemeral' },
    content: [{ type: 'text', text: 'see' }, image, { type: 'tool_reference', tool_name: 'Grep' }],
  }
  const head = {
    type: 'text',
    text: '[Error result of an earlier tool call that is no longer part of the conversation]',
    cache_control: { type: 'ephemeral' },
  }
  expect(repaired([user(orphan)]).messages[0]?.content).toEqual([
    head,
    text('see'),
    image,
    text('Tool: Grep'),
  ])
})

test('H2 an orphan without content still says what it was, behind the results of the turn', () => {
  const messages = [assistant(call('a')), user({ type: 'tool_result', tool_use_id: 'gone' }, result('a'))]
  expect(repaired(messages).messages[1]).toEqual(user(result('a'), text(ORPHAN)))
})

test('H3 a result that comes later than the next turn is moved next to its call', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    user(text('quick')),
    assistant(text('wait')),
    user(result('a'), text('there')),
  ]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(result('a'), text('quick')), messages[3], user(text('there'))],
    notes: ['result_moved messages[4].content[0]'],
  })
})

test('H3 a user turn whose results all moved away is gone, and its neighbours merge if they must', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    user(text('quick')),
    assistant(text('one')),
    user(result('a')),
    assistant(text('two')),
  ]
  const head = [messages[0], messages[1], user(result('a'), text('quick'))]
  expect(repaired(messages)).toEqual({
    messages: [...head, messages[3], messages[5]],
    notes: ['result_moved messages[4].content[0]'],
  })
  expect(repaired(messages, MERGE)).toEqual({
    messages: [...head, assistant(text('one'), text('two'))],
    notes: ['turns_merged messages[5]', 'result_moved messages[4].content[0]'],
  })
})

test('H3 a user turn that lost its results still carries those of the turn before it', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    user(text('quick')),
    assistant(call('b')),
    user(result('a')),
    assistant(text('two')),
    user(result('b')),
  ]
  const { messages: after } = repaired(messages, MERGE)
  expect(after).toEqual([
    messages[0],
    messages[1],
    user(result('a'), text('quick')),
    messages[3],
    user(result('b')),
    messages[5],
  ])
})

test('H4 of two results for one call the last one stays', () => {
  const messages = [user(text('M')), assistant(call('a')), user(result('a', 'old'), result('a', 'new'))]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(result('a', 'new'))],
    notes: ['result_duplicate messages[2].content[0]'],
  })
})

test('H4 a later turn’s result replaces the earlier one in its place', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    user(result('a', 'old')),
    assistant(text('hm')),
    user(result('a', 'new'), text('there')),
  ]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(result('a', 'new')), messages[3], user(text('there'))],
    notes: ['result_duplicate messages[2].content[0]', 'result_moved messages[4].content[0]'],
  })
})

test('H5 consecutive turns stay apart where the target takes them', () => {
  expectUntouched([user(text('a')), user(text('b')), assistant(text('c')), assistant(text('d'))], KEEP)
})

test('H5 merged user turns have all results first and then every other block in order', () => {
  const messages = [
    user(text('M')),
    assistant(call('a'), call('b')),
    user(text('one'), result('b')),
    system('news'),
    { role: 'user', content: 'two' } as const,
    user(result('a'), text('three')),
    system('more news'),
    assistant(text('done')),
  ]
  expect(repaired(messages, MERGE)).toEqual({
    messages: [
      messages[0],
      messages[1],
      user(result('a'), result('b'), text('one'), text('two'), text('three')),
      messages[3],
      messages[6],
      messages[7],
    ],
    notes: ['turns_merged messages[4]', 'turns_merged messages[5]'],
  })
})

test('H5 merged assistant turns keep their calls, and the results follow in the order of the calls', () => {
  const messages = [
    user(text('M')),
    assistant(text('one'), call('a')),
    system('news'),
    assistant(text('two'), call('b')),
    user(result('b'), result('a')),
  ]
  expect(repaired(messages, MERGE)).toEqual({
    messages: [
      messages[0],
      assistant(text('one'), call('a'), text('two'), call('b')),
      user(result('a'), result('b')),
      messages[2],
    ],
    notes: ['system_moved messages[2]', 'turns_merged messages[3]'],
  })
})

test('H5 assistant turns that stay apart each get their own results', () => {
  const messages = [
    user(text('M')),
    assistant(call('a')),
    assistant(call('b')),
    user(result('a'), result('b')),
  ]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(result('a')), messages[2], user(result('b'))],
    notes: ['result_moved messages[3].content[0]'],
  })
})

test('H6 a first turn of the assistant gets a minimal user turn before it where the target needs one', () => {
  const messages = [system('news'), assistant(text('hello')), user(text('hi'))]
  expectUntouched(messages, KEEP)
  expect(repaired(messages, MERGE)).toEqual({
    messages: [messages[0], { role: 'user', content: '(conversation continues)' }, messages[1], messages[2]],
    notes: ['turn_invented messages[1]'],
  })
})

test('H6 a history without turns gets none', () => {
  expectUntouched([], MERGE)
  expectUntouched([system('news')], MERGE)
})

test('R3 a system message between a call and its results goes behind the results', () => {
  const messages = [user(text('M')), assistant(call('a')), system('news'), user(result('a'), text('go'))]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], messages[3], messages[2]],
    notes: ['system_moved messages[2]'],
  })
  const { messages: after } = repaired(messages)
  expect(after[2]).toBe(messages[3])
})

test('R3 a system message after an interrupted call goes behind the stand-in', () => {
  const messages = [user(text('M')), assistant(call('a')), system('news')]
  expect(repaired(messages).messages).toEqual([messages[0], messages[1], user(interrupted('a')), messages[2]])
})

test('R4 results come first in their turn without a note', () => {
  const messages = [user(text('M')), assistant(call('a')), user(text('one'), result('a'), text('two'))]
  expect(repaired(messages)).toEqual({
    messages: [messages[0], messages[1], user(result('a'), text('one'), text('two'))],
    notes: [],
  })
})

test('R5 results in another order, spread over user messages, come in the order of the calls', () => {
  const messages = [
    user(text('M')),
    assistant(call('a'), call('b'), call('c')),
    user(result('c'), text('one')),
    user(result('b'), result('a')),
    user(text('two')),
  ]
  expect(repaired(messages)).toEqual({
    messages: [
      messages[0],
      messages[1],
      user(result('a'), result('b'), result('c'), text('one')),
      user(text('two')),
    ],
    notes: ['result_moved messages[3].content[1]', 'result_moved messages[3].content[0]'],
  })
})

test('R19 a call id that was used before becomes a distinct one, and its result with it', () => {
  const round = [assistant(text('hm'), call('call_0')), user(result('call_0'))]
  const { messages: after, notes } = repaired([user(text('M')), ...round, ...round, ...round])
  const distinct = (id: string): HubMessage[] => [
    assistant(text('hm'), call(id)),
    user(result(id, 'result of call_0')),
  ]
  expect(after).toEqual([user(text('M')), ...round, ...distinct('call_0_2'), ...distinct('call_0_3')])
  expect(after[1]).toBe(round[0])
  expect(notes).toEqual([
    'call_id_distinct messages[3].content[1]',
    'call_id_distinct messages[5].content[1]',
  ])
})

test('R19 a distinct id never meets one that the history had before or has later', () => {
  const ids = ['a_2', 'a', 'a', 'a_3', 'a']
  const messages = ids.flatMap((id) => [assistant(call(id)), user(result(id))])
  const blocks = repaired([user(text('M')), ...messages]).messages.flatMap(blocksOf)
  const after = blocks.flatMap((block) => (block.type === 'tool_use' ? block.id : []))
  expect(after).toEqual(['a_2', 'a', 'a_3', 'a_3_2', 'a_4'])
})

test('R19 two calls of one id in one turn keep a result each', () => {
  const messages = [
    user(text('M')),
    assistant(call('a'), call('a')),
    user(result('a', 'first'), result('a', 'second')),
  ]
  expect(repaired(messages)).toEqual({
    messages: [
      messages[0],
      assistant(call('a'), call('a_2')),
      user(result('a', 'first'), result('a_2', 'second')),
    ],
    notes: ['call_id_distinct messages[1].content[1]'],
  })
})

test('R19 an interrupted call of a repeated id gets its stand-in under the new id', () => {
  const messages = [user(text('M')), assistant(call('a')), user(result('a')), assistant(call('a'))]
  expect(repaired(messages).messages.slice(3)).toEqual([assistant(call('a_2')), user(interrupted('a_2'))])
})

test('one object in two places is told apart by its place', () => {
  const shared = result('a')
  const messages = [user(shared), assistant(call('a')), user(shared)]
  expect(repaired(messages).messages).toEqual([
    user(text(ORPHAN), text('result of a')),
    messages[1],
    messages[2],
  ])
})

const ASSISTANT: HistoryNeeds = { consecutiveTurns: 'merge-assistant', firstTurn: 'any' }

test("where only the assistant's turns become one, those of the user stay apart", () => {
  const messages = [
    user(text('a')),
    user(text('b')),
    assistant(text('c')),
    assistant(call('x')),
    user(result('x')),
  ]
  expect(repaired(messages, ASSISTANT)).toEqual({
    messages: [user(text('a')), user(text('b')), assistant(text('c'), call('x')), user(result('x'))],
    notes: ['turns_merged messages[3]'],
  })
})

test('there a system message between two turns of the assistant keeps them apart', () => {
  const messages = [user(text('a')), assistant(text('b')), system('c'), assistant(text('d'))]
  expect(repaired(messages, ASSISTANT)).toEqual({ messages, notes: [] })
})

test('an error counts more than a later result where the target wants it, unless it only stands in', () => {
  const failed = { ...result('x', 'failed'), is_error: true }
  const needs: HistoryNeeds = { ...KEEP, repeatedResults: 'error' }
  const both = (first: HubToolResult): HubMessage[] => [
    assistant(call('x')),
    user(first, result('x', 'fine')),
  ]
  expect(repaired(both(failed), needs)).toEqual({
    messages: [assistant(call('x')), user(failed)],
    notes: ['result_duplicate messages[1].content[1]'],
  })
  expect(repaired(both(failed)).messages[1]).toEqual(user(result('x', 'fine')))
  expect(repaired(both(interrupted('x')), needs).messages[1]).toEqual(user(result('x', 'fine')))
})
