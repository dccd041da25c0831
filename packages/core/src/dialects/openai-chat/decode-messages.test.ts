import { expect, test } from 'vitest'
import { Notes } from '../../hub/note.ts'
import type { HubMessage } from '../../hub/request.ts'
import { decodeMessages } from './decode-messages.ts'

function decoded(...messages: readonly object[]): { turns: HubMessage[]; notes: string[] } {
  const notes = new Notes()
  const turns = decodeMessages(messages as never, { first: 2, notes })
  return { turns, notes: notes.list.map(({ code, path }) => `${code} ${path}`) }
}

function readCall(id: string, json: string): object {
  return { id, type: 'function', function: { name: 'Read', arguments: json } }
}

test('a turn with calls and the results behind it are two turns', () => {
  const calls = [readCall('a', '{"path":"x"}'), readCall('b', '')]
  const { turns, notes } = decoded(
    { role: 'assistant', content: 'Let me look.', tool_calls: calls },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'B' }] },
  )
  expect(turns).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'A' },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'B' }] },
      ],
    },
  ])
  expect(notes).toEqual([])
})

test.each([
  [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ],
  [
    { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
    { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
  ],
  [
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      title: 'a.pdf',
    },
  ],
])('a part of a user message becomes its block: %j', (part, block) => {
  const { turns, notes } = decoded({ role: 'user', content: [part] })
  expect(turns).toEqual([{ role: 'user', content: [block] }])
  expect(notes).toEqual([])
})

test.each([
  [{ role: 'user', content: 'Hi', name: 'ada' }, 'field_not_in_hub messages[2].name', 'Hi'],
  [
    { role: 'user', content: [{ type: 'input_audio' }] },
    'part_left_out messages[2].content[0]',
    '[input_audio left out]',
  ],
  [{ role: 'function', name: 'x', content: 'X' }, 'function_result_as_text messages[2]', 'X'],
  [{ role: 'assistant', content: null, refusal: 'No.' }, 'refusal_as_text messages[2]', 'No.'],
  [
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'grep', input: 'x' } }] },
    'custom_call messages[2]',
    '"input":{"input":"x"}',
  ],
])('what the hub has no form for leaves a note: %j', (message, note, words) => {
  const { turns, notes } = decoded(message)
  expect(notes).toContain(note)
  expect(JSON.stringify(turns)).toContain(words)
})

test('system messages stay where they are', () => {
  expect(decoded({ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }).turns).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  ])
})
