import { expect, test } from 'vitest'
import { everyText } from './every-text.ts'

test('prose is found wherever it stands, except where it is ours or no prose', () => {
  const body = {
    system: [{ type: 'text', text: 'x-anthropic-billing-header: a=b;\nYou are somebody.' }],
    messages: [
      { role: 'user', content: [{ text: 'Ours.' }, { source: { data: 'aGVsbG8=' } }, { hint: 'A hint.' }] },
      { role: 'assistant', content: 'The model said this.' },
    ],
    contents: [
      { role: 'model', parts: [{ text: 'The model said that.' }] },
      { role: 'user', parts: [{ text: 'A reminder.' }] },
    ],
    tools: [{ examples: ['For example.'], input_schema: { $schema: 'https://example.com/schema' } }],
    metadata: { user_id: 'somebody' },
  }
  const texts = everyText(body, (line) => line === 'Ours.').filter((text) => text.includes('.'))
  expect(texts).toEqual(['\nYou are somebody.', 'A hint.', 'A reminder.', 'For example.'])
})
