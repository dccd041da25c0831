import { expect, test } from 'vitest'
import { checkMessage } from './check-message.ts'

test.each([
  [null, 'messages[3]: expected object, got null'],
  [{ role: 'robot', content: '' }, 'messages[3].role: expected a role that OpenAI knows'],
  [{ role: 'user' }, 'messages[3].content: expected string or array, got nothing'],
  [{ role: 'user', content: [{ type: 'text' }] }, 'messages[3].content[0].text'],
  [{ role: 'user', content: [{ type: 'image_url' }] }, 'messages[3].content[0].image_url'],
  [{ role: 'user', content: [{ type: 'file', file: 'x' }] }, 'messages[3].content[0].file'],
  [{ role: 'tool', content: '' }, 'messages[3].tool_call_id'],
  [{ role: 'assistant', tool_calls: {} }, 'messages[3].tool_calls'],
  [{ role: 'assistant', tool_calls: [{ id: 'a' }] }, 'messages[3].tool_calls[0].function'],
  [
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'x' } }] },
    'messages[3].tool_calls[0].custom.input',
  ],
])('what is no message is refused with its place: %j', (message, fault) => {
  expect(() => checkMessage(message, 3)).toThrow(fault)
})

test.each([
  { role: 'user', content: '' },
  { role: 'user', content: [{ type: 'input_audio', input_audio: {} }] },
  { role: 'assistant', content: null, tool_calls: null },
  { role: 'function', name: 'x', content: null },
  { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '' }] },
  { role: 'tool', tool_call_id: 'a', content: null },
])('a message passes whatever fields nobody asks for: %j', (message) => {
  expect(() => checkMessage({ ...message, more: 1 }, 0)).not.toThrow()
})
