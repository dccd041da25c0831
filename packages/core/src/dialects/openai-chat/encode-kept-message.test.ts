import { expect, test } from 'vitest'
import { Notes } from '../../hub/note.ts'
import type { HubMessage } from '../../hub/request.ts'
import { encodeKeptMessage } from './encode-kept-message.ts'

function encoded(message: HubMessage): { messages: unknown[]; notes: string[] } {
  const notes = new Notes()
  const messages = encodeKeptMessage(message, { path: 'messages[4]', notes })
  return { messages, notes: notes.list.map(({ code, path }) => `${code} ${path}`) }
}

test('ids and names stay as they are, however odd for a provider', () => {
  const id = 'functions.Read:0'
  const name = 'an odd name '.repeat(10)
  const { messages } = encoded({
    role: 'assistant',
    content: [{ type: 'tool_use', id, name, input: { path: 'x' } }],
  })
  expect(messages).toMatchObject([
    { role: 'assistant', tool_calls: [{ id, function: { name, arguments: '{"path":"x"}' } }] },
  ])
})

test('a file that is only named is left out with a note and never an error, also in a result', () => {
  const image = { type: 'image', source: { type: 'file', file_id: 'file_1' } } as const
  const { messages, notes } = encoded({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }, image],
  })
  expect(JSON.stringify(messages).split('[image left out: it is not part of the conversation]')).toHaveLength(
    3,
  )
  expect(notes).toContain('file_left_out messages[4]')
})

test('notes have the path of the message, not of a place inside it', () => {
  const text = { type: 'text', text: 'one', cache_control: { type: 'ephemeral' } } as const
  expect(encoded({ role: 'user', content: [text] }).notes).toEqual(['cache_control_dropped messages[4]'])
})
