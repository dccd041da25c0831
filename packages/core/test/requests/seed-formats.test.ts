import { expect, test } from 'vitest'
import { encode } from './encode.ts'

// The comparison of the two formats, table by table: what the one says, and what the other is told.

const REQUEST = {
  model: 'claude-sonnet-4-5-20250929',
  max_tokens: 8096,
  system: 'You are a helpful coding assistant.',
  messages: [{ role: 'user', content: 'Write a hello world in Python' }],
  stream: true,
}

const READ = {
  name: 'Read',
  description: 'Reads a file from the local filesystem.',
  input_schema: {
    type: 'object',
    properties: { file_path: { type: 'string', description: 'The absolute path to the file' } },
    required: ['file_path'],
  },
}

test('request: the whole of it becomes the whole of the other', () => {
  expect(encode(REQUEST).body).toEqual({
    model: 'gpt-4o',
    max_completion_tokens: 8096,
    messages: [
      { role: 'system', content: 'You are a helpful coding assistant.' },
      { role: 'user', content: 'Write a hello world in Python' },
    ],
    stream: true,
    stream_options: { include_usage: true },
  })
})

test('request: servers that know the older name of the limit get the older name', () => {
  const { body } = encode(REQUEST, { profile: 'generic', model: 'some-model' })
  expect(body['max_tokens']).toBe(8096)
})

test('difference 1: the system prompt is a field here and the first message there, as text and as blocks', () => {
  const blocks = [{ type: 'text', text: REQUEST.system, cache_control: { type: 'ephemeral' } }]
  const expected = { role: 'system', content: REQUEST.system }
  expect(encode(REQUEST).messages[0]).toEqual(expected)
  expect(encode({ ...REQUEST, system: blocks }).messages[0]).toEqual(expected)
  expect(encode(REQUEST).body).not.toHaveProperty('system')
})

test('difference 2: a stream has to ask for its usage', () => {
  expect(encode(REQUEST).body['stream_options']).toEqual({ include_usage: true })
  expect(encode({ ...REQUEST, stream: false }).body).not.toHaveProperty('stream_options')
})

test('difference 3: a tool is wrapped in a function, its input_schema is parameters, unchanged', () => {
  const { tools } = encode({ ...REQUEST, tools: [READ] })
  expect(tools).toEqual([
    {
      type: 'function',
      function: { name: READ.name, description: READ.description, parameters: READ.input_schema },
    },
  ])
  expect(tools?.[0]?.function.parameters).toBe(READ.input_schema)
})

test.each([
  [{ type: 'auto' }, 'auto'],
  [{ type: 'any' }, 'required'],
  [
    { type: 'tool', name: 'Read' },
    { type: 'function', function: { name: 'Read' } },
  ],
  [{ type: 'none' }, 'none'],
])('difference 4: tool_choice %j is %j', (choice, expected) => {
  expect(encode({ ...REQUEST, tools: [READ], tool_choice: choice }).body['tool_choice']).toEqual(expected)
})

const HISTORY = [
  { role: 'user', content: 'Read the file /tmp/hello.py' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Let me read that file.' },
      { type: 'tool_use', id: 'toolu_abc123', name: 'Read', input: { file_path: '/tmp/hello.py' } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_abc123', content: "print('hello world')" }],
  },
]

test('history: a call of a tool and its result, message by message', () => {
  expect(encode({ ...REQUEST, system: undefined, messages: HISTORY }).messages).toEqual([
    { role: 'user', content: 'Read the file /tmp/hello.py' },
    {
      role: 'assistant',
      content: 'Let me read that file.',
      tool_calls: [
        {
          id: 'toolu_abc123',
          type: 'function',
          function: { name: 'Read', arguments: '{"file_path":"/tmp/hello.py"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'toolu_abc123', content: "print('hello world')" },
  ])
})

test('difference 5: the input is an object here and a JSON text there', () => {
  const input = { text: 'a "quoted"\nline', list: [1, { deep: null }], empty: {} }
  const messages = [{ role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input }] }]
  const [turn] = encode({ ...REQUEST, system: undefined, messages }).messages
  const call = turn?.role === 'assistant' ? turn.tool_calls?.[0] : undefined
  expect(call?.type === 'function' ? JSON.parse(call.function.arguments) : undefined).toEqual(input)
})

test('difference 6: a result is a block of the user here and a message of its own there', () => {
  const { messages } = encode({ ...REQUEST, messages: HISTORY })
  const result = messages.at(-1)
  expect(result).toEqual({ role: 'tool', tool_call_id: 'toolu_abc123', content: "print('hello world')" })
  expect(JSON.stringify(messages)).not.toMatch(/tool_result|tool_use_id|"input"/)
})
