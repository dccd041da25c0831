import { expect, test } from 'vitest'
import { aboutMessages } from './about-messages.ts'

test('a message is told by its tools, else by its first words without reminders', () => {
  const messages: Parameters<typeof aboutMessages>[0] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '<system-reminder>\nThe date is today.\n</system-reminder>' },
        { type: 'text', text: 'Mend  the\nserver.' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a file' }] },
    { role: 'user', content: 'x'.repeat(200) },
  ]
  expect(aboutMessages(messages)).toEqual([
    'Mend the server.',
    'calls Read',
    'result of Read',
    `${'x'.repeat(70)}…`,
  ])
})
