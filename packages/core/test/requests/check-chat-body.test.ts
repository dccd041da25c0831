import { expect, test } from 'vitest'
import { chatFaults } from './check-chat-body.ts'
import { UPSTREAM_LIMITS } from './upstream-limits.ts'

const SCHEMA = { type: 'object', properties: {} }
const TOOL = { type: 'function', function: { name: 'Read', description: 'Reads.', parameters: SCHEMA } }
const CALL = { id: 't1', type: 'function', function: { name: 'Read', arguments: '{}' } }
const RESULT = { role: 'tool', tool_call_id: 't1', content: 'done' }
const USER = { role: 'user', content: 'Hi' }
const CALLS = { role: 'assistant', content: null, tool_calls: [CALL] }
const BODY = { model: 'gpt-4o', messages: [USER] }

const { openai, mistral, gemini, deepseek, generic } = UPSTREAM_LIMITS

/** A tool whose definition differs in some fields. */
function toolWith(fields: object): object {
  return { type: 'function', function: { ...TOOL.function, ...fields } }
}

function history(...messages: readonly unknown[]): object {
  return { ...BODY, messages }
}

function callWith(fields: object): object {
  return history({ ...CALLS, tool_calls: [{ ...CALL, ...fields }] }, RESULT)
}

test('a body with everything in it is legal', () => {
  const body = {
    model: 'gpt-4o',
    max_completion_tokens: 5,
    temperature: 0,
    top_p: 1,
    stop: ['A', 'B', 'C', 'D'],
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: 'low',
    safety_identifier: 'x',
    prompt_cache_key: 'y',
    response_format: { type: 'json_schema', json_schema: { name: 'output', schema: SCHEMA, strict: false } },
    tools: [TOOL],
    tool_choice: { type: 'function', function: { name: 'Read' } },
    parallel_tool_calls: false,
    messages: [
      { role: 'system', content: 'S' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      { ...CALLS, content: 'Well.' },
      RESULT,
      { role: 'developer', content: 'D' },
      { role: 'assistant', content: 'Hi' },
    ],
  }
  expect(chatFaults(body, openai)).toEqual([])
})

test.each<readonly [string, unknown]>([
  ['no object', 'x'],
  ['no model', { messages: [USER] }],
  ['no messages', history()],
  ['an unknown field', { ...BODY, top_k: 1 }],
  ['stream_options without a stream', { ...BODY, stream_options: {} }],
  ['a stream that is no stream', { ...BODY, stream: false }],
  ['a limit of 0', { ...BODY, max_completion_tokens: 0 }],
  ['the older name of the limit', { ...BODY, max_tokens: 5 }],
  ['a temperature beyond 2', { ...BODY, temperature: 3 }],
  ['a top_p beyond 1', { ...BODY, top_p: 2 }],
  ['no stop sequences', { ...BODY, stop: [] }],
  ['five stop sequences', { ...BODY, stop: ['A', 'B', 'C', 'D', 'E'] }],
  ['an empty stop sequence', { ...BODY, stop: [''] }],
  ['an unknown effort', { ...BODY, reasoning_effort: 'huge' }],
  ['a long safety_identifier', { ...BODY, safety_identifier: 'x'.repeat(129) }],
  ['a long prompt_cache_key', { ...BODY, prompt_cache_key: 'x'.repeat(65) }],
  ['an unknown format', { ...BODY, response_format: { type: 'xml' } }],
  [
    'a format without a name',
    { ...BODY, response_format: { type: 'json_schema', json_schema: { schema: {} } } },
  ],
  [
    'a strict format that is open',
    {
      ...BODY,
      response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA, strict: true } },
    },
  ],
  ['half a character', history({ role: 'user', content: '\ud83d' })],
])('a fault of the body: %s', (_what, body) => {
  expect(chatFaults(body, openai)).toHaveLength(1)
})

test.each<readonly [string, object]>([
  ['no tools in the list', { tools: [] }],
  ['a choice without tools', { tool_choice: 'auto' }],
  ['parallel calls without tools', { parallel_tool_calls: true }],
  ['too many tools', { tools: Array.from({ length: 129 }, (_, index) => toolWith({ name: `t${index}` })) }],
  ['a name twice', { tools: [TOOL, TOOL] }],
  ['a name with a dot', { tools: [toolWith({ name: 'a.b' })] }],
  ['a long name', { tools: [toolWith({ name: 'a'.repeat(65) })] }],
  ['no function', { tools: [{ type: 'web_search' }] }],
  ['a field beside the function', { tools: [{ ...TOOL, cache_control: {} }] }],
  ['a field in the function', { tools: [toolWith({ defer_loading: true })] }],
  ['no parameters', { tools: [toolWith({ parameters: undefined })] }],
  ['no type', { tools: [toolWith({ parameters: { properties: {} } })] }],
  ['no properties', { tools: [toolWith({ parameters: { type: 'object' } })] }],
  ['a union at the top', { tools: [toolWith({ parameters: { ...SCHEMA, oneOf: [] } })] }],
  ['a refused keyword', { tools: [toolWith({ parameters: { ...SCHEMA, $schema: 'x' } })] }],
  [
    'an array without items',
    { tools: [toolWith({ parameters: { ...SCHEMA, properties: { a: { type: ['array', 'null'] } } } })] },
  ],
  ['a strict tool that is open', { tools: [toolWith({ strict: true })] }],
  ['a word for Mistral', { tools: [TOOL], tool_choice: 'any' }],
  ['a choice of no tool', { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'Write' } } }],
])('a fault of the tools: %s', (_what, fields) => {
  expect(chatFaults({ ...BODY, ...fields }, openai)).toHaveLength(1)
})

test.each<readonly [string, object]>([
  ['an unknown role', history({ role: 'model', content: 'Hi' })],
  ['a field of a message', history({ ...USER, cache_control: {} })],
  ['an empty text', history({ role: 'user', content: '' })],
  ['no parts', history({ role: 'user', content: [] })],
  ['an empty part', history({ role: 'user', content: [{ type: 'text', text: '' }] })],
  ['an unknown part', history({ role: 'user', content: [{ type: 'image' }] })],
  ['a field of a part', history({ role: 'user', content: [{ type: 'text', text: 'a', citations: [] }] })],
  [
    'an image that is none',
    history({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }),
  ],
  ['a file that is none', history({ role: 'user', content: [{ type: 'file', file: { filename: 'a' } }] })],
  ['an empty system message', history({ role: 'system', content: '' })],
  ['an empty assistant', history({ role: 'assistant', content: null })],
  ['thinking', history({ role: 'assistant', content: 'Hi', reasoning_content: 'hm' })],
  ['an empty list of calls', history({ role: 'assistant', content: 'Hi', tool_calls: [] })],
  ['an empty content beside calls', history({ ...CALLS, content: '' }, RESULT)],
  ['a call without a result', history(CALLS)],
  ['a result without a call', history(USER, RESULT)],
  ['a result twice', history(CALLS, RESULT, RESULT)],
  ['arguments that are no JSON', callWith({ function: { name: 'Read', arguments: '{' } })],
  ['arguments that are no object', callWith({ function: { name: 'Read', arguments: '[]' } })],
  ['a name with a space', callWith({ function: { name: 'a b', arguments: '{}' } })],
  ['a field of a call', callWith({ extra_content: {} })],
  ['an id again', history(CALLS, RESULT, CALLS, RESULT)],
  ['a result of parts', history(CALLS, { ...RESULT, content: [] })],
])('a fault of the messages: %s', (_what, body) => {
  expect(chatFaults(body, openai)).toHaveLength(1)
})

test('anything between a call and its result is a fault of both', () => {
  expect(chatFaults(history(CALLS, USER, RESULT), openai)).toEqual([
    'messages[1]: calls without results: t1',
    'messages[2]: answers no call before it: t1',
  ])
  expect(chatFaults(history(CALLS, { role: 'system', content: 'x' }, RESULT), openai)).toHaveLength(2)
})

test('ids over 40 characters, and for Mistral other than 9, are faults', () => {
  const long = 'x'.repeat(41)
  const calls = { ...CALLS, content: 'Well.', tool_calls: [{ ...CALL, id: long }] }
  const body = history(calls, { ...RESULT, tool_call_id: long })
  expect(chatFaults(body, openai)).toHaveLength(1)
  expect(chatFaults(history({ ...CALLS, content: 'Well.' }, RESULT), mistral)).toHaveLength(1)
})

test('each upstream has its own faults', () => {
  const system = { role: 'system', content: 'x' }
  expect(chatFaults(history(USER, USER), mistral)).toHaveLength(1)
  expect(chatFaults(history({ role: 'assistant', content: 'x' }), gemini)).toHaveLength(1)
  expect(chatFaults(history(USER, system), generic)).toHaveLength(1)
  expect(chatFaults(history(CALLS, { ...RESULT, content: '' }), generic)).toHaveLength(1)
  expect(chatFaults(history({ ...CALLS, content: '' }, RESULT), deepseek)).toEqual([
    'messages[0]: calls without their thinking',
  ])
  expect(chatFaults({ ...BODY, stream: true, stream_options: {} }, mistral)).toHaveLength(1)
})
