import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import type { HubRequest } from '../../hub/request.ts'
import { plainCall } from '../plain-call.ts'
import type { ChatReply } from './chat-reply.ts'
import { decodeRequest } from './decode-request.ts'
import { openaiChat } from './index.ts'

const HELLO = { model: 'm', messages: [{ role: 'user', content: 'Hello.' }] }
const READ = { type: 'function', function: { name: 'Read', parameters: { type: 'object' } } }
const BASH = { type: 'function', function: { name: 'Bash' } }

interface Decoded {
  readonly request: HubRequest
  readonly reply: ChatReply
  readonly notes: readonly string[]
}

function decoded(fields: object): Decoded {
  const { request, reply, notes } = decodeRequest(
    plainCall({ ...HELLO, ...fields }, { now: 1_700_000_000_900 }),
  )
  return { request, reply, notes: notes.map(({ code, path }) => `${code} ${path}`) }
}

function faultOf(body: unknown): { path: string | undefined; message: string } {
  try {
    decodeRequest(plainCall(body))
  } catch (error) {
    if (error instanceof HubError) return { path: error.path, message: error.message }
    throw error
  }
  throw new Error('expected a fault')
}

test('the smallest request asks for a whole answer', () => {
  const { request, reply, notes } = decoded({})
  expect(request).toEqual(HELLO)
  expect(notes).toEqual([])
  expect(reply.stream).toBeUndefined()
  expect(reply.created).toBe(1_700_000_000)
})

test('a stream has comments as signs of life, and usage if it is asked for', () => {
  const { request, reply } = decoded({ stream: true, stream_options: { include_usage: true } })
  expect(request.stream).toBe(true)
  expect(reply.stream).toEqual({ contentType: 'text/event-stream; charset=utf-8', keepAlive: ': ping\n\n' })
  expect(reply.includesUsage).toBe(true)
  expect(decoded({ stream: true }).reply.includesUsage).toBe(false)
})

const SYSTEM = { role: 'system', content: 'One.' }
const DEVELOPER = { role: 'developer', content: [{ type: 'text', text: 'Two.' }] }
const USER = { role: 'user', content: 'Hi.' }

test('K1: leading system and developer messages are the system prompt', () => {
  expect(decoded({ messages: [SYSTEM, USER] }).request.system).toBe('One.')
  expect(decoded({ messages: [SYSTEM, DEVELOPER, USER] }).request).toMatchObject({
    system: [
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Two.' },
    ],
    messages: [{ role: 'user', content: 'Hi.' }],
  })
})

test('K2: later ones stay where they are', () => {
  const { request } = decoded({ messages: [USER, DEVELOPER, USER, SYSTEM] })
  expect(request.system).toBeUndefined()
  expect(request.messages.map(({ role }) => role)).toEqual(['user', 'system', 'user', 'system'])
})

test('K3: where nobody says anything but the system, its last message is a turn of the user', () => {
  const { request, notes } = decoded({ messages: [SYSTEM, DEVELOPER] })
  expect(request).toMatchObject({ system: 'One.', messages: [{ role: 'user' }] })
  expect(notes).toEqual(['system_as_user messages[1]'])
})

test.each<[string, object, object, string[]]>([
  [
    'K14: a function is a tool',
    { tools: [READ] },
    { tools: [{ name: 'Read', input_schema: { type: 'object' } }] },
    [],
  ],
  [
    'K14: a function without parameters takes none',
    { tools: [BASH] },
    { tools: [{ name: 'Bash', input_schema: { type: 'object', properties: {} } }] },
    [],
  ],
  [
    'K14: what a function says of itself is kept',
    { tools: [{ type: 'function', function: { name: 'A', description: 'B', strict: true } }] },
    { tools: [{ name: 'A', description: 'B', strict: true }] },
    [],
  ],
  ['K14: no tools are no tools', { tools: [], tool_choice: 'auto' }, {}, ['field_ignored tool_choice']],
  [
    'K15: a custom tool takes one string, and its grammar is told in words',
    {
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'patch',
            description: 'Patches.',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
          },
        },
      ],
    },
    {
      tools: [
        {
          name: 'patch',
          description: 'Patches.\n\nThe input must follow this lark grammar:\nstart: "x"',
          input_schema: { properties: { input: { type: 'string' } }, required: ['input'] },
        },
      ],
    },
    ['grammar_as_words tools[0].custom.format'],
  ],
  [
    'K16: functions of old are tools, one at a time',
    { functions: [{ name: 'Read' }], function_call: { name: 'Read' } },
    {
      tools: [{ name: 'Read' }],
      tool_choice: { type: 'tool', name: 'Read', disable_parallel_tool_use: true },
    },
    [],
  ],
  [
    'K17: a tool of a kind that nobody knows is left out',
    { tools: [{ type: 'web_search' }, READ] },
    { tools: [{ name: 'Read' }] },
    ['tool_left_out tools[0]'],
  ],
  ['K18: a choice of none', { tools: [READ], tool_choice: 'none' }, { tool_choice: { type: 'none' } }, []],
  ['K18: a choice of auto', { tools: [READ], tool_choice: 'auto' }, { tool_choice: { type: 'auto' } }, []],
  ["K18: Mistral's word", { tools: [READ], tool_choice: 'any' }, { tool_choice: { type: 'any' } }, []],
  ['K18: a choice of any', { tools: [READ], tool_choice: 'required' }, { tool_choice: { type: 'any' } }, []],
  [
    'K18: a choice of one',
    { tools: [READ], tool_choice: { type: 'function', function: { name: 'Read' } } },
    { tool_choice: { type: 'tool', name: 'Read' } },
    [],
  ],
  [
    'K18: a choice of a custom one',
    {
      tools: [{ type: 'custom', custom: { name: 'x' } }],
      tool_choice: { type: 'custom', custom: { name: 'x' } },
    },
    { tool_choice: { type: 'tool', name: 'x' } },
    [],
  ],
  [
    'K18: a choice of a tool that nobody knows',
    { tools: [READ], tool_choice: { type: 'web_search' } },
    {},
    ['tool_choice_ignored tool_choice'],
  ],
  [
    'K19: a choice among some offers only those',
    {
      tools: [READ, BASH],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'Bash' } }] },
      },
    },
    { tools: [{ name: 'Bash' }], tool_choice: { type: 'any' } },
    ['tools_left_out tool_choice.allowed_tools.tools'],
  ],
  [
    'K20: calls one at a time',
    { tools: [READ], parallel_tool_calls: false },
    { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    [],
  ],
  ['K20: calls side by side are the default', { tools: [READ], parallel_tool_calls: true }, {}, []],
  ['K21: the newer limit wins', { max_completion_tokens: 5, max_tokens: 9 }, { max_tokens: 5 }, []],
  ['K21: the older limit counts too', { max_tokens: 9 }, { max_tokens: 9 }, []],
  [
    'K22: sampling',
    { temperature: 1.5, top_p: 0.5, top_k: 3 },
    { temperature: 1.5, top_p: 0.5, top_k: 3 },
    [],
  ],
  ['K23: one stop sequence', { stop: 'END' }, { stop_sequences: ['END'] }, []],
  ['K23: several stop sequences', { stop: ['A', 'B'] }, { stop_sequences: ['A', 'B'] }, []],
  ['K24: one choice is what everybody gets', { n: 1 }, {}, []],
  ['K25: any text', { response_format: { type: 'text' } }, {}, []],
  ['K25: some JSON', { response_format: { type: 'json_object' } }, { extras: { json_object: true } }, []],
  [
    'K25: JSON by a schema',
    {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'out', strict: true, schema: { type: 'object' } },
      },
    },
    {
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      extras: { schema_name: 'out', schema_strict: true },
    },
    [],
  ],
  [
    'K25: a schema beside the type',
    { response_format: { type: 'json_object', schema: { type: 'object' } } },
    { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    [],
  ],
  [
    'K25: a schema with its name beside the type',
    { response_format: { type: 'json_schema', name: 'out', schema: { type: 'object' } } },
    {
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
      extras: { schema_name: 'out' },
    },
    [],
  ],
  [
    'K25: a format that nobody knows',
    { response_format: { type: 'grammar' } },
    {},
    ['field_ignored response_format.type'],
  ],
  [
    'K26: an effort',
    { reasoning_effort: 'high' },
    { output_config: { effort: 'high' }, thinking: { type: 'adaptive' } },
    [],
  ],
  ['K26: no effort at all', { reasoning_effort: 'none' }, { thinking: { type: 'disabled' } }, []],
  ["K26: Groq's word for none that is set", { reasoning_effort: 'default' }, {}, []],
  ["K26: OpenRouter's effort", { reasoning: { effort: 'low' } }, { output_config: { effort: 'low' } }, []],
  [
    "K26: OpenRouter's budget",
    { reasoning: { max_tokens: 2000 } },
    { thinking: { type: 'enabled', budget_tokens: 2000 } },
    [],
  ],
  ["K26: DeepSeek's switch", { thinking: { type: 'disabled' } }, { thinking: { type: 'disabled' } }, []],
  ["K26: Qwen's switch", { enable_thinking: false }, { thinking: { type: 'disabled' } }, []],
  [
    'K27: what only OpenAI has words for',
    {
      seed: 7,
      frequency_penalty: 0.5,
      presence_penalty: -1,
      logit_bias: { '50256': -100 },
      verbosity: 'low',
      prompt_cache_key: 'k',
      user: 'u',
      metadata: { a: 'b' },
    },
    {
      extras: {
        seed: 7,
        frequency_penalty: 0.5,
        presence_penalty: -1,
        logit_bias: { '50256': -100 },
        verbosity: 'low',
        prompt_cache_key: 'k',
        user: 'u',
        metadata: { a: 'b' },
      },
    },
    [],
  ],
  ['K28: the tier', { service_tier: 'default' }, { service_tier: 'standard_only' }, []],
  ['K28: a tier of OpenAI only', { service_tier: 'flex' }, { extras: { service_tier: 'flex' } }, []],
  ['K28: who asks', { safety_identifier: 'abc' }, { metadata: { user_id: 'abc' } }, []],
  ['K29: a field that nobody knows', { web_search_options: {} }, {}, ['field_ignored web_search_options']],
  [
    'K29: nothing is nothing',
    { temperature: null, tools: null, stop: null, store: false, logprobs: false },
    {},
    [],
  ],
])('%s', (_name, fields, expected, notes) => {
  const result = decoded(fields)
  expect(result.request).toMatchObject(expected)
  expect(Object.keys(result.request).toSorted()).toEqual(
    [
      ...new Set([...Object.keys(HELLO), ...Object.keys(expected), ...impliedKeys(result.request, expected)]),
    ].toSorted(),
  )
  expect(result.notes).toEqual(notes)
})

/** Rows that speak of the choice or of the effort leave out the rest of what these bring. */
function impliedKeys(request: HubRequest, expected: object): string[] {
  const implied = 'tool_choice' in expected ? ['tools'] : []
  if (!('tool_choice' in expected) && request.tools) implied.push('tools')
  if ('output_config' in expected && request.thinking) implied.push('thinking')
  return implied
}

test.each<[object, string]>([
  [{}, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: 'hi' }, 'messages'],
  [{ messages: [{ role: 'robot', content: '' }] }, 'messages[0].role'],
  [{ messages: [USER, { role: 'tool', content: '' }] }, 'messages[1].tool_call_id'],
  [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 5 }] }] },
    'messages[0].content[0].image_url',
  ],
  [
    {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png,x' } }] }],
    },
    'messages[0].content[0].image_url.url',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 1 } }] }] },
    'messages[0].content[0].file.file_id',
  ],
  [{ ...HELLO, n: 2 }, 'n'],
  [{ ...HELLO, temperature: 'hot' }, 'temperature'],
  [{ ...HELLO, max_tokens: -1 }, 'max_tokens'],
  [{ ...HELLO, stream: 'yes' }, 'stream'],
  [{ ...HELLO, stop: ['a', 1] }, 'stop[1]'],
  [{ ...HELLO, tools: [{ type: 'function' }] }, 'tools[0].function'],
  [{ ...HELLO, tools: [READ, READ] }, 'tools[1].name'],
  [{ ...HELLO, tools: [READ], tool_choice: 'always' }, 'tool_choice'],
  [
    { ...HELLO, tools: [READ], tool_choice: { type: 'function', function: { name: 'No' } } },
    'tool_choice.function.name',
  ],
  [{ ...HELLO, reasoning_effort: 'extreme' }, 'reasoning_effort'],
  [{ ...HELLO, response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
  [{ ...HELLO, metadata: { a: 1 } }, 'metadata.a'],
])('K30: a fault is named by its path: %j', (body, path) => {
  const fault = faultOf({ model: 'm', ...body })
  expect(fault.path).toBe(path)
  expect(fault.message).toContain('expected')
})

test('the arguments of a call reach upstreams of OpenAI as they were written', () => {
  const written = '{ "path": "/a", "size": 1.0 }'
  const calls = [{ id: 'c', type: 'function', function: { name: 'Read', arguments: written } }]
  const { request } = decoded({ messages: [USER, { role: 'assistant', content: null, tool_calls: calls }] })
  const target = { model: 'm', profile: openaiChat.upstream.defaultProfile }
  const { body } = openaiChat.upstream.encodeRequest(request, target)
  expect(body['messages']).toMatchObject([{}, { tool_calls: calls }, {}])
})

test('K29: so is a field of a tool, a part or a call, once for all places', () => {
  const part = { type: 'text', text: 'x', alien: 1 }
  const call = { id: 'c', index: 0, type: 'function', function: { name: 'Read' }, alien: 1 }
  const messages = [
    { role: 'system', name: 'boss', content: 'Be kind.' },
    { role: 'user', content: [part, part] },
    { role: 'assistant', tool_calls: [call] },
  ]
  const tools = [{ ...READ, alien: 1, function: { ...READ.function, alien: 1 } }]
  expect(decoded({ messages, tools }).notes).toEqual([
    'field_ignored tools[].alien',
    'field_ignored tools[].function.alien',
    'field_not_in_hub messages[0].name',
    'field_ignored messages[].content[].alien',
    'field_ignored messages[].tool_calls[].alien',
  ])
})

test('K30: a request without a model is refused, unless its path names one', () => {
  expect(faultOf({ messages: HELLO.messages }).path).toBe('model')
  const call = plainCall({ messages: HELLO.messages }, { params: { model: 'deployed' } })
  expect(decodeRequest(call).request.model).toBe('deployed')
})

test('K42: usage is asked for in the words of OpenAI or of OpenRouter', () => {
  const answers = [{}, { stream_options: { include_usage: true } }, { usage: { include: true } }]
  const asked = answers.map((fields) => decoded({ stream: true, ...fields }).reply.includesUsage)
  expect(asked).toEqual([false, true, true])
})

test('K1: a part of a system prompt that is no text leaves words and a note', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.test' } }
  const { request, notes } = decoded({
    messages: [{ role: 'system', content: [{ type: 'text', text: 'Be kind.' }, image] }, USER],
  })
  expect(request.system).toEqual([
    { type: 'text', text: 'Be kind.' },
    { type: 'text', text: '[image_url left out]' },
  ])
  expect(notes).toEqual(['part_left_out messages[0].content[1]'])
})

test('a reply keeps nothing of the conversation', () => {
  const messages = [{ role: 'user', content: 'a secret' }]
  expect(JSON.stringify(decoded({ messages, tools: [READ] }).reply)).not.toContain('secret')
})
