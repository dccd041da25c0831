import { expect, test } from 'vitest'
import { routedParts } from './routed-parts.ts'

test('routes see the model, the system prompt, the turns, the tools and the images', () => {
  const body = {
    model: 'm',
    stream: true,
    tools: [{ type: 'function' }],
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'image_url', image_url: {} },
        ],
      },
      { role: 'assistant', content: null },
      { role: 'tool', tool_call_id: 'a', content: 'A' },
    ],
  }
  const parts = routedParts({ body, params: {} })
  expect([parts.model, parts.system, parts.stream, parts.tools?.length]).toEqual([
    'm',
    [{ type: 'text', text: 'Be brief.' }],
    true,
    1,
  ])
  expect(parts.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', [{ type: 'text', text: 'Hi.' }, { type: 'image' }]],
    ['assistant', ''],
    ['user', [{ type: 'tool_result', content: 'A' }]],
  ])
})

test('what is not in a known form is not guessed', () => {
  expect(() => routedParts({ body: { messages: [] }, params: {} })).toThrow('model')
  const parts = routedParts({ body: { model: 'm', messages: [{ role: 'robot' }] }, params: {} })
  expect(() => parts.messages[0]?.role).toThrow('messages.role')
})
