import { expect, test } from 'vitest'
import { outline } from './outline.ts'

test('an outline counts the parts, calls and results of each message', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    {
      role: 'user',
      content: [{ type: 'text', text: 'a' }, { type: 'image_url' }, { type: 'text', text: 'b' }],
    },
    { role: 'assistant', content: null, tool_calls: [{}, {}] },
    { role: 'tool', tool_call_id: 't1', content: 'done' },
    { role: 'tool', tool_call_id: 't2', content: '' },
    { role: 'assistant', content: 'Well.' },
  ]
  expect(outline({ messages })).toEqual([
    { index: 0, role: 'system', blocks: { text: 1 }, calls: 0, results: 0 },
    { index: 1, role: 'user', blocks: { text: 2, image_url: 1 }, calls: 0, results: 0 },
    { index: 2, role: 'assistant', blocks: {}, calls: 2, results: 0 },
    { index: 3, role: 'tool', blocks: { text: 1 }, calls: 0, results: 1 },
    { index: 4, role: 'tool', blocks: {}, calls: 0, results: 1 },
    { index: 5, role: 'assistant', blocks: { text: 1 }, calls: 0, results: 0 },
  ])
})
