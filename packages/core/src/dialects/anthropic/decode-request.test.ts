import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import { decodeCount, decodeRequest as decodeCall } from './decode-request.ts'

type Fields = Record<string, unknown>

const MINIMAL = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }
const SCHEMA = { type: 'object', properties: {} }

/** One legal block or field of each kind that is checked. */
const FULL = {
  model: 'claude-opus-5-5',
  max_tokens: 128_000,
  stream: true,
  system: [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }],
  tools: [
    { name: 'read', description: 'reads', input_schema: SCHEMA, defer_loading: true },
    { type: 'custom', name: 'write', input_schema: SCHEMA },
    { type: 'bash_20250124', name: 'bash' },
    { type: 'mcp_toolset', mcp_server_name: 'x' },
  ],
  tool_choice: { type: 'tool', name: 'read', disable_parallel_tool_use: true },
  stop_sequences: ['END'],
  temperature: 1,
  top_p: 0.5,
  top_k: 40,
  thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' },
  output_config: { effort: 'high', format: { type: 'json_schema', schema: SCHEMA } },
  metadata: { user_id: '{"session_id":"s"}' },
  context_management: { edits: [] },
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'system', content: [], output_config: { effort: 'low' } },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'redacted_thinking', data: 'd' },
        { type: 'text', text: '' },
        { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
        { type: 'server_tool_use', id: 't2', name: 'web_search', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'ok', is_error: false },
        {
          type: 'tool_result',
          tool_use_id: 't3',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
            { type: 'tool_reference', tool_name: 'read' },
          ],
        },
        { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
        { type: 'document', title: null, source: { type: 'text', media_type: 'text/plain', data: 'x' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
        { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'x' }] },
        { type: 'hologram', data: 1 },
      ],
    },
    { role: 'system' },
  ],
}

function request(fields: Fields): Fields {
  return { ...MINIMAL, ...fields }
}

function turn(role: string, ...content: readonly unknown[]): Fields {
  return request({ messages: [{ role, content }] })
}

function decodeRequest(body: unknown): ReturnType<typeof decodeCall> {
  return decodeCall({ body })
}

function refusal(body: unknown): string {
  try {
    decodeRequest(body)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    expect(error.status).toBe(400)
    expect(error.message.startsWith(error.path ?? '?')).toBe(true)
    return error.message
  }
  return 'taken'
}

function nested(depth: number): unknown {
  let value: unknown = {}
  for (let level = 1; level < depth; level++) value = { value }
  return value
}

test('a legal request comes back as the same object, without notes', () => {
  const before = structuredClone(FULL)
  const { request: decoded, notes } = decodeRequest(FULL)
  expect(decoded).toBe(FULL)
  expect(FULL).toEqual(before)
  expect(notes).toEqual([])
})

test('a frozen request is taken too', () => {
  const body = Object.freeze(request({ metadata: null }))
  expect(decodeRequest(body).request).toEqual(MINIMAL)
})

test.each<[string, unknown]>([
  ['expected object, got null', null],
  ['expected object, got array', []],
  ['expected object, got string', 'hello'],
  ['model: expected non-empty string, got nothing', { ...MINIMAL, model: undefined }],
  ['model: expected non-empty string, got nothing', request({ model: null })],
  ['model: expected non-empty string, got ""', request({ model: '' })],
  ['model: expected non-empty string, got 4', request({ model: 4 })],
  ['messages: expected array, got nothing', { model: 'm', max_tokens: 1 }],
  ['messages: expected array, got object', request({ messages: {} })],
  ['messages: expected at least one message, got none', request({ messages: [] })],
  ['messages[0]: expected object, got null', request({ messages: [null] })],
  ['messages[0].role: expected one of user, assistant, system, got "tool"', turn('tool')],
  ['messages[0].role: expected one of user, assistant, system, got nothing', request({ messages: [{}] })],
  ['messages[0].content: expected string or array, got nothing', request({ messages: [{ role: 'user' }] })],
  [
    'messages[0].content: expected string or array, got number',
    request({ messages: [{ role: 'user', content: 1 }] }),
  ],
  ['max_tokens: expected integer of at least 0, got nothing', { model: 'm', messages: MINIMAL.messages }],
  ['max_tokens: expected integer of at least 0, got nothing', request({ max_tokens: null })],
  ['max_tokens: expected integer of at least 0, got -1', request({ max_tokens: -1 })],
  ['max_tokens: expected integer of at least 0, got 1.5', request({ max_tokens: 1.5 })],
  ['max_tokens: expected integer of at least 0, got "100"', request({ max_tokens: '100' })],
  ['system: expected string or array, got object', request({ system: {} })],
  ['system[0].type: expected "text", got "image"', request({ system: [{ type: 'image' }] })],
  ['system[0].text: expected string, got number', request({ system: [{ type: 'text', text: 1 }] })],
  ['stop_sequences[1]: expected string, got null', request({ stop_sequences: ['a', null] })],
  ['stop_sequences: expected array, got string', request({ stop_sequences: 'a' })],
  ['stream: expected boolean, got string', request({ stream: 'true' })],
  ['temperature: expected number from 0 to 1, got 1.2', request({ temperature: 1.2 })],
  ['temperature: expected number from 0 to 1, got boolean', request({ temperature: true })],
  ['top_p: expected number from 0 to 1, got -0.1', request({ top_p: -0.1 })],
  ['top_k: expected integer of at least 0, got 0.5', request({ top_k: 0.5 })],
  ['thinking: expected object, got string', request({ thinking: 'enabled' })],
  ['thinking.type: expected non-empty string, got nothing', request({ thinking: {} })],
  [
    'thinking.budget_tokens: expected integer of at least 0, got nothing',
    request({ thinking: { type: 'enabled' } }),
  ],
  ['output_config: expected object, got array', request({ output_config: [] })],
  ['output_config.effort: expected string, got number', request({ output_config: { effort: 3 } })],
  [
    'output_config.format.schema: expected object, got nothing',
    request({ output_config: { format: { type: 'json_schema' } } }),
  ],
  ['output_format.type: expected non-empty string, got nothing', request({ output_format: {} })],
  ['metadata: expected object, got string', request({ metadata: 'u' })],
  ['metadata.user_id: expected string, got number', request({ metadata: { user_id: 1 } })],
])('%s', (message, body) => {
  expect(refusal(body)).toBe(message)
})

test.each<[string, unknown]>([
  [': expected object, got string', 'text'],
  ['.type: expected non-empty string, got nothing', { text: 'x' }],
  ['.type: expected non-empty string, got 7', { type: 7 }],
  ['.text: expected string, got null', { type: 'text', text: null }],
  ['.source: expected object, got nothing', { type: 'image' }],
  [
    '.source.type: expected one of base64, url, file, got "text"',
    { type: 'image', source: { type: 'text' } },
  ],
  [
    '.source.data: expected string, got nothing',
    { type: 'image', source: { type: 'base64', media_type: 'image/png' } },
  ],
  ['.source.url: expected string, got number', { type: 'image', source: { type: 'url', url: 1 } }],
  [
    '.source.type: expected one of base64, url, file, text, content, got "constructor"',
    { type: 'document', source: { type: 'constructor' } },
  ],
  ['.source.file_id: expected string, got nothing', { type: 'document', source: { type: 'file' } }],
  ['.title: expected string, got number', { type: 'document', title: 1, source: { type: 'text', data: '' } }],
  [
    '.source.content[0].type: expected a block that a document may hold, got "document"',
    { type: 'document', source: { type: 'content', content: [{ type: 'document' }] } },
  ],
  ['.tool_use_id: expected non-empty string, got nothing', { type: 'tool_result' }],
  ['.is_error: expected boolean, got string', { type: 'tool_result', tool_use_id: 't', is_error: 'no' }],
  ['.content: expected string or array, got object', { type: 'tool_result', tool_use_id: 't', content: {} }],
  [
    '.content[1].text: expected string, got nothing',
    { type: 'tool_result', tool_use_id: 't', content: [{ type: 'x' }, { type: 'text' }] },
  ],
  [
    '.content[0].type: expected a block that a tool result may hold, got "tool_result"',
    { type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_result', tool_use_id: 't' }] },
  ],
  [
    '.type: expected a block that a user turn may hold, got "tool_use"',
    { type: 'tool_use', id: 'a', name: 'b' },
  ],
  ['.thinking: expected string, got nothing', { type: 'thinking', signature: 's' }],
  ['.signature: expected string, got number', { type: 'thinking', thinking: 't', signature: 1 }],
  ['.data: expected string, got nothing', { type: 'redacted_thinking' }],
  ['.title: expected string, got nothing', { type: 'search_result', source: 's', content: [] }],
  [
    '.content: expected array, got string',
    { type: 'search_result', source: 's', title: 't', content: 'text' },
  ],
  ['.tool_name: expected non-empty string, got nothing', { type: 'tool_reference' }],
  [
    '.tool.definition.input_schema: expected object, got nothing',
    { type: 'tool_addition', tool: { type: 'tool_definition', definition: { name: 'a' } } },
  ],
])('in a user turn: %s', (message, block) => {
  expect(refusal(turn('user', { type: 'text', text: '' }, block))).toBe(`messages[0].content[1]${message}`)
})

test.each<[string, unknown]>([
  ['.id: expected non-empty string, got ""', { type: 'tool_use', id: '', name: 'a' }],
  ['.name: expected non-empty string, got nothing', { type: 'tool_use', id: 'a' }],
  ['.input: expected object, got string', { type: 'tool_use', id: 'a', name: 'b', input: '{}' }],
  ['.input: expected object, got array', { type: 'tool_use', id: 'a', name: 'b', input: [] }],
  [
    '.type: expected a block that an assistant turn may hold, got "tool_result"',
    { type: 'tool_result', tool_use_id: 'a' },
  ],
])('in an assistant turn: %s', (message, block) => {
  expect(refusal(turn('assistant', block))).toBe(`messages[0].content[0]${message}`)
})

test.each<[string, unknown]>([
  ['tools: expected array, got object', {}],
  ['tools[0]: expected object, got string', ['read']],
  ['tools[0].name: expected non-empty string, got nothing', [{ input_schema: SCHEMA }]],
  ['tools[0].name: expected non-empty string, got nothing', [{ type: 'function', function: {} }]],
  ['tools[0].type: expected string, got number', [{ type: 1, name: 'a' }]],
  ['tools[0].input_schema: expected object, got nothing', [{ name: 'a' }]],
  ['tools[0].input_schema: expected object, got null', [{ type: 'custom', name: 'a', input_schema: null }]],
  ['tools[0].description: expected string, got array', [{ name: 'a', description: [], input_schema: {} }]],
  [
    'tools[2].name: expected a name other than that of tools[0], got "a"',
    [
      { name: 'a', input_schema: {} },
      { name: 'b', input_schema: {} },
      { type: 'bash_20250124', name: 'a' },
    ],
  ],
])('%s', (message, tools) => {
  expect(refusal(request({ tools }))).toBe(message)
})

test.each<[string, unknown]>([
  ['tool_choice: expected object, got string', 'auto'],
  ['tool_choice.type: expected one of auto, any, tool, none, got "required"', { type: 'required' }],
  ['tool_choice.type: expected one of auto, any, tool, none, got nothing', {}],
  ['tool_choice.name: expected non-empty string, got nothing', { type: 'tool' }],
  ['tool_choice.name: expected the name of one of the tools, got "b"', { type: 'tool', name: 'b' }],
  [
    'tool_choice.name: expected the name of one of the tools, got "toString"',
    { type: 'tool', name: 'toString' },
  ],
  [
    'tool_choice.disable_parallel_tool_use: expected boolean, got number',
    { type: 'auto', disable_parallel_tool_use: 1 },
  ],
])('%s', (message, choice) => {
  expect(refusal(request({ tools: [{ name: 'a', input_schema: {} }], tool_choice: choice }))).toBe(message)
})

test('a choice of a tool without any tools is refused', () => {
  const body = request({ tool_choice: { type: 'tool', name: 'a' } })
  expect(refusal(body)).toBe('tool_choice.name: expected the name of one of the tools, got "a"')
})

test('a tool that a system turn adds can be chosen', () => {
  const tool = { type: 'tool_definition', definition: { name: 'late', input_schema: {} } }
  const messages = [...MINIMAL.messages, { role: 'system', content: [{ type: 'tool_addition', tool }] }]
  expect(refusal(request({ messages, tool_choice: { type: 'tool', name: 'late' } }))).toBe('taken')
})

test('the tools of a toolset can be chosen, though their names are not known', () => {
  const tools = [{ type: 'browser_toolset_20260801' }]
  expect(refusal(request({ tools, tool_choice: { type: 'tool', name: 'navigate' } }))).toBe('taken')
})

test('system turns are taken anywhere, with any content and with none', () => {
  const contents = ['text', '', [], [{ type: 'text', text: 'x' }], undefined]
  const messages = contents.map((content) => ({ role: 'system', content }))
  const body = request({ messages: [...messages, ...MINIMAL.messages, { role: 'system' }] })
  expect(decodeRequest(body).request).toBe(body)
})

test('fields that nobody knows are noted and kept', () => {
  const body = request({ safeguards: [{ type: 'dangerous_tool_use' }], speed: 'fast', constructor: 1 })
  const { request: decoded, notes } = decodeRequest(body)
  expect(decoded).toBe(body)
  expect(notes).toEqual([
    { code: 'field_ignored', path: 'safeguards', message: 'a field that is not known here' },
    { code: 'field_ignored', path: 'constructor', message: 'a field that is not known here' },
  ])
})

test('a field with the name of the one that only the hub has is no such field', () => {
  const decoded = decodeCall({ body: request({ extras: { metadata: 7 } }) })
  expect(decoded.request).not.toHaveProperty('extras')
  expect(decoded.notes).toMatchObject([{ code: 'field_ignored', path: 'extras' }])
})

test('unknown values of known fields are left to the encoder', () => {
  const body = request({
    thinking: { type: 'sideways' },
    output_config: { effort: 'utmost' },
    mcp_servers: 3,
  })
  expect(decodeRequest(body).request).toBe(body)
})

test('null counts as absent in the body', () => {
  const nulls = {
    system: null,
    tools: null,
    tool_choice: null,
    thinking: null,
    stream: null,
    unheard_of: null,
  }
  const { request: decoded, notes } = decodeRequest(request(nulls))
  expect(decoded).toStrictEqual(MINIMAL)
  expect(notes).toEqual([])
})

test('null counts as absent in tools, turns and blocks, and the original is left alone', () => {
  const body = request({
    tools: [{ name: 'a', type: null, description: null, input_schema: {} }],
    messages: [
      { role: 'system', content: null },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: null }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: null, is_error: null }] },
      { role: 'user', content: 'untouched' },
    ],
  })
  const before = structuredClone(body)
  const { request: decoded } = decodeRequest(body)
  expect(body).toStrictEqual(before)
  expect(decoded.tools).toStrictEqual([{ name: 'a', type: null, input_schema: {} }])
  expect(decoded.messages).toStrictEqual([
    { role: 'system' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a' }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't' }] },
    { role: 'user', content: 'untouched' },
  ])
})

test('thinking without its signature gets an empty one', () => {
  const { request: decoded } = decodeRequest(turn('assistant', { type: 'thinking', thinking: 'hm' }))
  expect(decoded.messages[0]?.content).toEqual([{ type: 'thinking', thinking: 'hm', signature: '' }])
})

test.each<[string, Fields]>([
  [
    'messages[0].content[0].input',
    turn('assistant', { type: 'tool_use', id: 'a', name: 'b', input: nested(513) }),
  ],
  ['tools[0].input_schema', request({ tools: [{ name: 'a', input_schema: nested(100_000) }] })],
  [
    'output_config.format.schema',
    request({ output_config: { format: { type: 'json_schema', schema: nested(513) } } }),
  ],
])('a depth bomb is refused: %s', (path, body) => {
  expect(refusal(body)).toBe(`${path}: expected at most 512 levels, got an object that nests deeper`)
})

test('nesting up to the limit is taken', () => {
  expect(refusal(request({ tools: [{ name: 'a', input_schema: nested(512) }] }))).toBe('taken')
})

test('a block that nests in itself cannot overflow the stack', () => {
  let block: unknown = { type: 'text', text: '' }
  for (let level = 0; level < 100_000; level++) {
    block = { type: 'document', source: { type: 'content', content: [block] } }
  }
  expect(refusal(turn('user', block))).toContain('expected a block that a document may hold')
})

test('names of the prototype are names like others', () => {
  const text = JSON.stringify(
    request({
      tools: ['__proto__', 'constructor', 'toString'].map((name) => ({ name, input_schema: {} })),
      tool_choice: { type: 'tool', name: '__proto__' },
      messages: [{ role: 'user', content: [{ type: 'constructor' }, { type: '__proto__' }] }],
    }),
  ).replace('{', '{"__proto__":{"stream":1},"metadata":null,')
  const { request: decoded, notes } = decodeRequest(JSON.parse(text))
  expect(decoded.stream).toBeUndefined()
  expect(notes.map((note) => note.path)).toEqual(['__proto__'])
  expect(decoded.tools?.length).toBe(3)
})

test('a request to count tokens needs no limit, but a model and messages', () => {
  const body = { model: 'm', messages: MINIMAL.messages }
  expect(decodeCount({ body }).request).toBe(body)
  expect(() => decodeCount({ body: { ...body, max_tokens: 'x' } })).toThrow('max_tokens: expected integer')
  expect(() => decodeCount({ body: { model: 'm' } })).toThrow('messages: expected array, got nothing')
})

test('a hundred thousand null fields are dropped, in a time that tests have', () => {
  // Quadratic time would be minutes.
  const nulls = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`field${index}`, null]))
  expect(decodeRequest(request(nulls)).request).toEqual(MINIMAL)
})

test('no JSON value makes it throw anything but a HubError', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      expect(refusal(body)).not.toBe('taken')
    }),
  )
})

test('no change of a legal request makes it throw anything but a HubError', () => {
  const places = placesIn(FULL)
  const change = fc.tuple(fc.constantFrom(...places), fc.oneof(fc.jsonValue(), fc.constant(undefined)))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const body = structuredClone(FULL)
      for (const [place, value] of changes) put(body, place, value)
      expect(refusal(body)).toBeTypeOf('string')
    }),
    { numRuns: 2000 },
  )
})

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

function put(body: object, path: readonly string[], value: unknown): void {
  let target: unknown = body
  for (const key of path.slice(0, -1)) {
    target = typeof target === 'object' && target !== null ? Reflect.get(target, key) : undefined
  }
  if (typeof target === 'object' && target !== null) Reflect.set(target, path.at(-1) ?? '', value)
}

test('a depth bomb in a block that nobody knows is a 400 with its path', () => {
  let bomb: unknown = 'x'
  for (let level = 0; level < 100_000; level += 1) bomb = [bomb]
  const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'new', bomb }] }] }
  expect(() => decodeRequest(body)).toThrow(/^messages\[0\]\.content\[0\]: expected at most 512 levels/)
})

test('no limit at all on the tokens to choose from is taken', () => {
  expect(decodeRequest(request({ top_k: -1 })).request.top_k).toBe(-1)
  expect(() => decodeRequest(request({ top_k: -2 }))).toThrow('top_k')
})

test('a top_p of -1 is none, as the API takes it', () => {
  expect(decodeRequest(request({ top_p: -1 })).request).not.toHaveProperty('top_p')
  expect(() => decodeRequest(request({ top_p: -0.5 }))).toThrow('top_p')
})
