import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { TestTarget } from '../../../test/requests/encode.ts'
import { markLasting } from '../../memo/lasting.ts'

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } }
const CLOSED = { ...SCHEMA, required: ['a'], additionalProperties: false }
const READ = { name: 'Read', description: 'Reads.', input_schema: SCHEMA }
const SEARCH = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
const LONG = `mcp__server__${'long_name_'.repeat(9)}`
const GENERIC = { profile: 'generic', model: 'some-model' } as const

function namesOf(fields: Readonly<Record<string, unknown>>, target: TestTarget = {}): string[] | undefined {
  return encode(requestWith(fields), target).tools?.map((tool) => tool.function.name)
}

function refusal(fields: Readonly<Record<string, unknown>>): unknown {
  try {
    return encode(requestWith(fields))
  } catch (error) {
    return error
  }
}

function searched(tool: string): object[] {
  return [
    { role: 'user', content: 'Find it.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: tool }] },
      ],
    },
  ]
}

test('R12: a tool that a result refers to is offered from then on', () => {
  const tools = [READ, { name: 'Late', input_schema: SCHEMA, defer_loading: true }]
  expect(namesOf({ tools })).toEqual(['Read'])
  expect(namesOf({ tools, messages: searched('Late') })).toEqual(['Read', 'Late'])
  const later = [...searched('Late'), { role: 'assistant', content: 'Ok.' }, { role: 'user', content: 'Go.' }]
  expect(namesOf({ tools, messages: later })).toEqual(['Read', 'Late'])
})

test('R12: a reference names the tool as the upstream knows it', () => {
  const tools = [{ name: LONG, input_schema: SCHEMA, defer_loading: true }]
  const encoded = encode(requestWith({ tools, messages: searched(LONG) }))
  const name = encoded.tools?.[0]?.function.name ?? ''
  expect(encoded.messages[2]?.content).toBe(`Tool ${name} is now available.`)
})

test('R13: a deferred tool is offered only once referenced, and its flag never goes out', () => {
  const tools = [
    { ...READ, defer_loading: false },
    { name: 'Late', input_schema: SCHEMA, defer_loading: true },
    { name: 'Later', input_schema: SCHEMA, defer_loading: true },
  ]
  const encoded = encode(requestWith({ tools, messages: searched('Later') }))
  expect(encoded.tools?.map((tool) => tool.function.name)).toEqual(['Read', 'Later'])
  expect(JSON.stringify(encoded.body)).not.toContain('defer_loading')
  expect(noted(encoded)).toEqual(['tool_deferred tools[1]'])
})

test('R13: with nothing but deferred tools there are no tools at all', () => {
  const tools = [{ name: 'Late', input_schema: SCHEMA, defer_loading: true }]
  expect(encode(requestWith({ tools, tool_choice: { type: 'auto' } })).body).not.toHaveProperty('tools')
})

test('R13: a deferred tool that has to be called is offered', () => {
  const tools = [{ name: 'Late', input_schema: SCHEMA, defer_loading: true }]
  expect(namesOf({ tools, tool_choice: { type: 'tool', name: 'Late' } })).toEqual(['Late'])
})

test('R13: deferred tools are all offered where the search for them was the server’s', () => {
  const encoded = encode(
    requestWith({ tools: [SEARCH, { name: 'Late', input_schema: SCHEMA, defer_loading: true }] }),
  )
  expect(encoded.tools?.map((tool) => tool.function.name)).toEqual(['Late'])
  expect(noted(encoded)).toEqual(['tool_search_dropped tools[0]'])
})

function changing(...changes: readonly object[]): string[] | undefined {
  const tools = [
    READ,
    { name: 'Bash', input_schema: SCHEMA },
    { name: 'Late', input_schema: SCHEMA, defer_loading: true },
  ]
  return namesOf({
    tools,
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'system', content: changes },
    ],
  })
}

const removal = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'Bash' } }

test('tools that a system message adds or removes are offered or not', () => {
  const definition = { name: 'New', input_schema: SCHEMA }
  const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } }
  expect(changing(removal, addition)).toEqual(['Read', 'New'])
})

test('a tool that a system message adds by its name is deferred no longer', () => {
  expect(changing({ type: 'tool_addition', tool: { type: 'tool_reference', name: 'Late' } })).toEqual([
    'Read',
    'Bash',
    'Late',
  ])
})

test('a tool that was removed can be added again by its name', () => {
  const again = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'Bash' } }
  expect(changing(removal, again)).toEqual(['Read', 'Bash'])
})

test('R18: a long name has one short form in tools, history and tool_choice, and comes back', () => {
  const encoded = encode(
    requestWith({
      tools: [{ name: LONG, input_schema: SCHEMA }],
      tool_choice: { type: 'tool', name: LONG },
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: LONG, input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '' }] },
      ],
    }),
  )
  const name = encoded.tools?.[0]?.function.name ?? ''
  expect(name).toMatch(/^mcp__server__long_name_[a-z_]*_[0-9a-f]{8}$/)
  expect(name).toHaveLength(64)
  expect(encoded.body['tool_choice']).toEqual({ type: 'function', function: { name } })
  expect(encoded.messages[0]).toMatchObject({ tool_calls: [{ function: { name } }] })
  expect(encoded.reply.names.toClient(name)).toBe(LONG)
  expect(noted(encoded)).toContain('tool_name_changed tools[0].name')
})

test('R18: the short form is the same in every request, with whatever other tools', () => {
  const alone = namesOf({ tools: [{ name: LONG, input_schema: SCHEMA }] })?.at(-1)
  expect(alone).toBe('mcp__server__long_name_long_name_long_name_long_name_lo_079b41a3')
  expect(namesOf({ tools: [READ, { name: LONG, input_schema: SCHEMA }] })?.at(-1)).toBe(alone)
})

test('R18: names with other characters become legal and stay distinct', () => {
  const names = namesOf({ tools: ['a.b', 'a b', 'a_b', 'ä'].map((name) => ({ name, input_schema: SCHEMA })) })
  for (const name of names ?? []) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(new Set(names).size).toBe(4)
  expect(names?.[2]).toBe('a_b')
})

test('R18: ids over 40 characters have one short form for the call and its result', () => {
  const id = 'x'.repeat(41)
  const messages = [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
  ]
  const encoded = encode(requestWith({ messages }))
  const [call, result] = encoded.messages
  const sent = result?.role === 'tool' ? result.tool_call_id : ''
  expect(sent).toMatch(/^[0-9a-f]{32}$/)
  expect(call).toMatchObject({ tool_calls: [{ id: sent }] })
  expect(noted(encoded)).toEqual(['call_id_changed messages[0].content[0].id'])
})

test('R20: an empty list of tools leaves no field that has to do with tools', () => {
  const { body } = encode(
    requestWith({ tools: [], tool_choice: { type: 'any', disable_parallel_tool_use: true } }),
  )
  expect(Object.keys(body)).toEqual(['model', 'max_completion_tokens', 'messages'])
})

test('R22: what only Anthropic knows of a tool is gone, each with a note', () => {
  const tool = {
    type: 'custom',
    ...READ,
    cache_control: { type: 'ephemeral' },
    eager_input_streaming: true,
    input_examples: [{ a: 'x' }],
    allowed_callers: ['direct'],
    of_tomorrow: 1,
  }
  const encoded = encode(requestWith({ tools: [tool] }))
  expect(encoded.tools).toEqual([
    { type: 'function', function: { name: 'Read', description: 'Reads.', parameters: SCHEMA } },
  ])
  expect(noted(encoded)).toEqual([
    'cache_control_dropped tools[0].cache_control',
    'eager_input_streaming_dropped tools[0].eager_input_streaming',
    'input_examples_dropped tools[0].input_examples',
    'allowed_callers_dropped tools[0].allowed_callers',
    'field_ignored tools[].of_tomorrow',
  ])
})

test('R22: strict is kept for a closed schema where the profile knows it, else dropped with a note', () => {
  const closed = requestWith({ tools: [{ ...READ, strict: true, input_schema: CLOSED }] })
  const open = requestWith({ tools: [{ ...READ, strict: true }] })
  expect(encode(closed).tools?.[0]?.function.strict).toBe(true)
  expect(encode(open).tools?.[0]?.function).not.toHaveProperty('strict')
  expect(noted(encode(open))).toEqual(['strict_dropped tools[0].strict'])
  expect(encode(closed, GENERIC).tools?.[0]?.function).not.toHaveProperty('strict')
  expect(noted(encode(closed, GENERIC))).toEqual(['strict_dropped tools[0].strict'])
})

test.each([
  'web_search_20250305',
  'web_fetch_20250910',
  'code_execution_20250522',
  'computer_20250124',
  'advisor_20260301',
])(
  'R23: the server tool %s is left out beside functions, and a clear 400 where it is all there is',
  (type) => {
    const beside = encode(requestWith({ tools: [READ, { type, name: 'it' }] }))
    expect(beside.tools?.map((tool) => tool.function.name)).toEqual(['Read'])
    expect(noted(beside)).toEqual(['tool_dropped tools[1]'])
    for (const request of [
      { tools: [{ type, name: 'it' }] },
      { tools: [{ type, name: 'it' }, SEARCH] },
      { tools: [{ type, name: 'it' }, READ], tool_choice: { type: 'tool', name: 'it' } },
    ]) {
      const error = refusal(request)
      expect(error).toMatchObject({ status: 400, kind: 'invalid_request_error', path: 'tools[0].type' })
      expect(String(error)).toContain(type)
    }
  },
)

test.each([
  ['bash_20250124', 'bash', ['command', 'restart']],
  ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'path', 'old_str', 'new_str']],
  ['memory_20250818', 'memory', ['command', 'path', 'old_path', 'new_path']],
])('R24: the client tool %s is a function with its schema', (type, name, fields) => {
  const encoded = encode(requestWith({ tools: [{ type, name }] }))
  const definition = encoded.tools?.[0]?.function
  expect(definition).toMatchObject({ name, description: expect.stringMatching(/\.$/) })
  expect(Object.keys(Object(definition?.parameters?.['properties']))).toEqual(expect.arrayContaining(fields))
  expect(noted(encoded)).toEqual(['tool_spelled_out tools[0]'])
})

test.each([
  [{ type: 'auto' }, 'auto'],
  [{ type: 'any' }, 'required'],
  [{ type: 'none' }, 'none'],
  [
    { type: 'tool', name: 'Read' },
    { type: 'function', function: { name: 'Read' } },
  ],
])('R25: tool_choice %j becomes %j', (choice, expected) => {
  const { body } = encode(requestWith({ tools: [READ], tool_choice: choice }))
  expect(body['tool_choice']).toEqual(expected)
  expect(body).not.toHaveProperty('parallel_tool_calls')
})

test('R25: Mistral has its own word for any tool', () => {
  const request = requestWith({ tools: [READ], tool_choice: { type: 'any' } })
  expect(encode(request, { profile: 'mistral' }).body['tool_choice']).toBe('any')
})

test('R25: one call at a time is parallel_tool_calls false, or a note where there is no such switch', () => {
  const request = requestWith({
    tools: [READ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  })
  expect(encode(request).body['parallel_tool_calls']).toBe(false)
  const careful = encode(request, GENERIC)
  expect(careful.body).not.toHaveProperty('parallel_tool_calls')
  expect(noted(careful)).toEqual(['parallel_calls_kept tool_choice.disable_parallel_tool_use'])
})

test('R25: a choice of a tool that was removed is a clear 400', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'system', content: [{ ...removal, tool: { type: 'tool_reference', name: 'Read' } }] },
  ]
  const tools = [READ, { name: 'Bash', input_schema: SCHEMA }]
  const error = refusal({ tools, messages, tool_choice: { type: 'tool', name: 'Read' } })
  expect(error).toMatchObject({ status: 400, path: 'tool_choice.name' })
})

const MANY = Array.from({ length: 130 }, (_, index) => ({ name: `tool${index}`, input_schema: SCHEMA }))

test('tools beyond the limit are dropped, each with a note', () => {
  const encoded = encode(requestWith({ tools: MANY }))
  expect(encoded.tools).toHaveLength(128)
  expect(encoded.tools?.at(-1)?.function.name).toBe('tool127')
  expect(noted(encoded)).toEqual(['tool_dropped tools[128]', 'tool_dropped tools[129]'])
})

test('a tool that has to be called is not among those dropped', () => {
  const encoded = encode(requestWith({ tools: MANY, tool_choice: { type: 'tool', name: 'tool129' } }))
  expect(encoded.tools).toHaveLength(128)
  expect(encoded.tools?.at(-1)?.function.name).toBe('tool129')
  expect(noted(encoded)).toEqual(['tool_dropped tools[127]', 'tool_dropped tools[128]'])
})

test('a frozen tool is encoded once for each way of encoding it, and never changed', () => {
  const tool = markLasting({ ...READ, input_schema: { ...SCHEMA, $schema: 'https://json-schema.org/x' } })
  const encoded = (target: TestTarget = {}): unknown =>
    encode(requestWith({ tools: [tool] }), target).tools?.[0]
  const first = encoded()
  expect(encoded()).toBe(first)
  expect(first).toEqual(encode(requestWith({ tools: [{ ...tool }] })).tools?.[0])
  expect(encoded(GENERIC)).toEqual(encode(requestWith({ tools: [{ ...tool }] }), GENERIC).tools?.[0])
  expect(encoded()).toEqual(first)
})

test('a frozen tool that needs a note gets it in every request', () => {
  const tool = markLasting({ ...READ, strict: true })
  for (let time = 0; time < 2; time += 1) {
    expect(noted(encode(requestWith({ tools: [tool] })))).toContain('strict_dropped tools[0].strict')
  }
})

test('frozen lists that begin with the same tool are told apart, and one that comes again is the same list', () => {
  const [first, second, third] = markLasting([READ, { ...READ, name: 'Write' }, { ...READ, name: 'Bash' }])
  const lists = [[first, second], [first, third], [first]].map((list) => markLasting(list))
  for (const list of [...lists, ...lists]) {
    expect(namesOf({ tools: list })).toEqual(list.map((tool) => tool?.name))
  }
  const body = requestWith({ tools: lists[0] })
  expect(encode(body).tools).toBe(encode(body).tools)
})

const saidMidway = (block: object): object[] => [
  { role: 'user', content: 'Hi' },
  { role: 'system', content: [block] },
  { role: 'user', content: 'Go on' },
]

test('a frozen list that a system message adds to or takes from is not taken for the list alone', () => {
  const tools = markLasting([READ, { ...READ, name: 'Bash' }])
  const added = { ...READ, name: 'Late' }
  const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition: added } }
  for (let round = 0; round < 2; round += 1) {
    expect(namesOf({ tools })).toEqual(['Read', 'Bash'])
    expect(namesOf({ tools, messages: saidMidway(addition) })).toEqual(['Read', 'Bash', 'Late'])
    expect(namesOf({ tools, messages: saidMidway(removal) })).toEqual(['Read'])
  }
})
