import { expect, test } from 'vitest'
import { validateChatRequest } from '../src/index.ts'

const USER = { role: 'user', content: 'Hi' }
const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const TOOL = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }

function problemsOf(changes: object): string[] {
  return validateChatRequest({ model: 'm', messages: [USER], ...changes })
}

test('a legal request has no problems', () => {
  expect(
    problemsOf({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 10,
      tools: [TOOL],
      tool_choice: { type: 'function', function: { name: 'f' } },
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
        { role: 'assistant', content: null, tool_calls: [CALL, { ...CALL, id: 'call_2' }] },
        { role: 'tool', tool_call_id: 'call_2', content: 'two' },
        { role: 'tool', tool_call_id: 'call_1', content: '' },
        { role: 'assistant', content: 'Done' },
      ],
    }),
  ).toEqual([])
})

const ILLEGAL: Readonly<Record<string, { readonly changes: object; readonly problem: RegExp }>> = {
  'no messages': { changes: { messages: [] }, problem: /messages: expected at least one/ },
  'an unknown field': { changes: { thinking: {} }, problem: /unknown field 'thinking'/ },
  'stream_options alone': { changes: { stream_options: {} }, problem: /only with stream/ },
  'two token limits': { changes: { max_tokens: 1, max_completion_tokens: 1 }, problem: /exclude each other/ },
  'five stop sequences': { changes: { stop: ['a', 'b', 'c', 'd', 'e'] }, problem: /1 to 4/ },
  'no tools in the list': { changes: { tools: [] }, problem: /tools: expected at least one/ },
  'a choice without tools': { changes: { tool_choice: 'auto' }, problem: /only with tools/ },
  'a choice of an unknown tool': {
    changes: { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'g' } } },
    problem: /there is no tool 'g'/,
  },
  'two tools of one name': { changes: { tools: [TOOL, TOOL] }, problem: /a second 'f'/ },
  'a name with a dot': {
    changes: { tools: [{ type: 'function', function: { name: 'a.b' } }] },
    problem: /no name for a function/,
  },
  'a call without a result': {
    changes: { messages: [USER, { role: 'assistant', tool_calls: [CALL] }, USER] },
    problem: /call_1 are not answered/,
  },
  'a call without a result at the end': {
    changes: { messages: [USER, { role: 'assistant', tool_calls: [CALL] }] },
    problem: /call_1 are not answered/,
  },
  'a result without a call': {
    changes: { messages: [USER, { role: 'tool', tool_call_id: 'call_9', content: 'x' }] },
    problem: /answers no call/,
  },
  'a long id': {
    changes: { messages: [{ role: 'assistant', tool_calls: [{ ...CALL, id: 'x'.repeat(41) }] }] },
    problem: /1 to 40 characters/,
  },
  'arguments that are no object': {
    changes: {
      messages: [{ role: 'assistant', tool_calls: [{ ...CALL, function: { name: 'f', arguments: '' } }] }],
    },
    problem: /arguments: expected a JSON object/,
  },
  'an empty assistant': {
    changes: { messages: [{ role: 'assistant', content: '' }] },
    problem: /expected some/,
  },
  'an image in a result': {
    changes: {
      messages: [
        { role: 'assistant', tool_calls: [CALL] },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: [{ type: 'image_url', image_url: { url: 'https:' } }],
        },
      ],
    },
    problem: /'image_url' in a message of tool/,
  },
  'an unknown role': { changes: { messages: [{ role: 'model', content: 'Hi' }] }, problem: /role: 'model'/ },
}

for (const [name, { changes, problem }] of Object.entries(ILLEGAL)) {
  test(`${name} is refused`, () => expect(problemsOf(changes).join('\n')).toMatch(problem))
}
