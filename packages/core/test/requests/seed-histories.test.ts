import { expect, test } from 'vitest'
import type { Encoded } from './encode.ts'
import { encode, requestWith } from './encode.ts'

// The closing of the agent's loop: histories with calls and results, and how one message becomes several.

function use(id: string, path: string): Record<string, unknown> {
  return { type: 'tool_use', id, name: 'Read', input: { file_path: path } }
}

function result(id: string, content: unknown): Record<string, unknown> {
  return { type: 'tool_result', tool_use_id: id, content }
}

function text(words: string): Record<string, unknown> {
  return { type: 'text', text: words }
}

function encodeHistory(messages: readonly object[]): Encoded {
  return encode(requestWith({ messages }))
}

function roles({ messages }: Encoded): string[] {
  return messages.map(({ role }) => role)
}

const QUESTION = { role: 'user', content: 'Read /tmp/hello.py and explain it' }
const CALL = {
  role: 'assistant',
  content: [text('Let me read that file.'), use('toolu_abc123', '/tmp/hello.py')],
}
const RESULT = { role: 'user', content: [result('toolu_abc123', "print('hello world')")] }

test('3a: text and calls of an assistant are content and tool_calls', () => {
  expect(encodeHistory([QUESTION, CALL, RESULT]).messages[1]).toEqual({
    role: 'assistant',
    content: 'Let me read that file.',
    tool_calls: [
      {
        id: 'toolu_abc123',
        type: 'function',
        function: { name: 'Read', arguments: '{"file_path":"/tmp/hello.py"}' },
      },
    ],
  })
})

test('3a: several texts are one content', () => {
  const turn = { role: 'assistant', content: [text('Let me '), text('read.')] }
  expect(encodeHistory([QUESTION, turn]).messages[1]).toEqual({ role: 'assistant', content: 'Let me read.' })
})

test('3a: without text the content is null', () => {
  const turn = { role: 'assistant', content: [use('toolu_abc123', '/a')] }
  expect(encodeHistory([QUESTION, turn, RESULT]).messages[1]).toMatchObject({ content: null })
})

test('3a: an assistant’s plain text stays one', () => {
  const turn = { role: 'assistant', content: 'Sure.' }
  expect(encodeHistory([QUESTION, turn]).messages[1]).toEqual(turn)
})

test('3b: a result is a message of the tool, with the id under its other name', () => {
  expect(encodeHistory([QUESTION, CALL, RESULT]).messages[2]).toEqual({
    role: 'tool',
    tool_call_id: 'toolu_abc123',
    content: "print('hello world')",
  })
})

test('3b: a result of blocks becomes one text', () => {
  const turn = { role: 'user', content: [result('toolu_abc123', [text('line 1'), text('line 2')])] }
  expect(encodeHistory([QUESTION, CALL, turn]).messages[2]?.content).toBe('line 1\nline 2')
})

test('3b: a user’s plain text stays one', () => {
  expect(encodeHistory([QUESTION]).messages).toEqual([QUESTION])
})

test('3c: the system prompt comes first, then turn by turn', () => {
  const encoded = encode(
    requestWith({ system: [text('One.'), text('Two.')], messages: [QUESTION, CALL, RESULT] }),
  )
  expect(roles(encoded)).toEqual(['system', 'user', 'assistant', 'tool'])
})

test('one becomes several: two results of one turn are two messages, 3 messages become 4', () => {
  const encoded = encodeHistory([
    { role: 'user', content: 'Read two files' },
    { role: 'assistant', content: [text('Both.'), use('A', '/a'), use('B', '/b')] },
    { role: 'user', content: [result('A', 'content of a'), result('B', 'content of b')] },
  ])
  expect(roles(encoded)).toEqual(['user', 'assistant', 'tool', 'tool'])
  expect(encoded.messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'A', content: 'content of a' },
    { role: 'tool', tool_call_id: 'B', content: 'content of b' },
  ])
})

test('one becomes several: a result and a text are a tool’s message and the user’s', () => {
  const turn = {
    role: 'user',
    content: [result('toolu_abc123', 'file contents...'), text('Now analyze this code')],
  }
  expect(encodeHistory([QUESTION, CALL, turn]).messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'toolu_abc123', content: 'file contents...' },
    { role: 'user', content: 'Now analyze this code' },
  ])
})

test('the loop closes: question, read, result, edit, result, answer, each request beginning with the last', () => {
  const edit = { type: 'tool_use', id: 'toolu_edit', name: 'Edit', input: { file_path: '/tmp/hello.py' } }
  const history = [
    QUESTION,
    CALL,
    RESULT,
    { role: 'assistant', content: [edit] },
    { role: 'user', content: [result('toolu_edit', 'edited')] },
    { role: 'assistant', content: 'Done!' },
    { role: 'user', content: 'Thanks.' },
  ]
  const [first, second, third, last] = [1, 3, 5, 7].map((end) => encodeHistory(history.slice(0, end)))
  expect(first && roles(first)).toEqual(['user'])
  expect(second && roles(second)).toEqual(['user', 'assistant', 'tool'])
  expect(third && roles(third)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
  const written = [first, second, third, last].map((encoded) => JSON.stringify(encoded?.body))
  for (const [index, body] of written.slice(1).entries()) {
    expect(body.startsWith(written[index]?.slice(0, -2) ?? '?')).toBe(true)
  }
})
