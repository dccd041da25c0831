import { expect, test } from 'vitest'
import { mapMemory } from '../../../test/chat-client/told.ts'
import { HubError } from '../../hub/error.ts'
import { usageOf } from '../../hub/usage.ts'
import { sealEnvelope } from '../../identity/envelope.ts'
import type { ClientCall, DecodedRequest, Memory } from '../dialect.ts'
import { plainCall } from '../plain-call.ts'
import { openaiResponses } from './index.ts'
import type { ResponsesReply } from './reply.ts'

const { client } = openaiResponses

function decode(fields: object, known: Partial<ClientCall> = {}): DecodedRequest<ResponsesReply> {
  return client.decodeRequest(plainCall({ model: 'm', ...fields }, known))
}

const FUNCTION = { type: 'function', name: 'f', parameters: { type: 'object' } }
const codes = ({ notes }: DecodedRequest<ResponsesReply>): string[] => notes.map(({ code }) => code)

test('S1: instructions and leading developer messages are the system prompt', () => {
  const { request } = decode({ instructions: 'Brief.', input: 'Hi' })
  expect(request.system).toEqual([{ type: 'text', text: 'Brief.' }])
  expect(request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])
  const developer = decode({
    input: [
      { role: 'developer', content: 'D' },
      { role: 'user', content: 'Hi' },
    ],
  })
  expect(developer.request.system).toEqual([{ type: 'text', text: 'D' }])
})

test('the arguments of a call reach upstreams of OpenAI as they were written', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{ "path": "/a", "size": 1.0 }' }
  const { request } = decode({ input: [{ role: 'user', content: 'Hi' }, call] })
  const { upstream } = openaiResponses
  const { body } = upstream.encodeRequest(request, { model: 'm', profile: upstream.defaultProfile })
  expect(body['input']).toMatchObject([{}, call, {}])
})

test('S2: texts, images and files of a message', () => {
  const content = [
    { type: 'input_text', text: 'a' },
    { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    { type: 'input_file', filename: 'x.pdf', file_data: 'data:application/pdf;base64,AA==' },
  ]
  const { request } = decode({ input: [{ role: 'user', content }] })
  expect(request.messages).toMatchObject([
    { content: [{ type: 'text' }, { type: 'image' }, { type: 'document' }] },
  ])
})

test('S2: files are told by their type, and one that nobody reads leaves words and a note', () => {
  const content = [
    { type: 'input_file', filename: 'a.png', file_data: 'data:image/png;base64,AA==' },
    { type: 'input_file', filename: 'a.docx', file_data: 'data:application/msword;base64,AA==' },
    { type: 'input_image', image_url: 'data:image/jpg;base64,AA==' },
    { type: 'input_image', image_url: 'data:image/bmp;base64,AA==' },
  ]
  const { request, notes } = decode({ input: [{ role: 'user', content }] })
  expect(request.messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        { type: 'text', text: '[The file a.docx was here: it cannot be read.]' },
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' } },
        { type: 'text', text: '[The image was here: it cannot be read.]' },
      ],
    },
  ])
  expect(notes.map(({ code, path }) => [code, path])).toEqual([
    ['file_dropped', 'input[0].content[1]'],
    ['image_dropped', 'input[0].content[3]'],
  ])
})

test('S3: items of an earlier answer are turns, with the proof of what was thought', () => {
  const { request } = decode({
    input: [
      { role: 'user', content: 'Hi' },
      {
        type: 'reasoning',
        id: 'rs',
        summary: [{ type: 'summary_text', text: 'Hm' }],
        encrypted_content: 'gAAA',
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
    ],
  })
  const [, turn, results] = request.messages
  const signature = sealEnvelope({ by: 'openai-responses', proof: 'gAAA' })
  expect(turn?.content).toEqual([
    { type: 'thinking', thinking: 'Hm', signature },
    { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
  ])
  expect(results?.content).toEqual([{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }])
})

test('S4: a custom tool takes one string, and its grammar is told in words', () => {
  const format = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
  const decoded = decode({ input: 'x', tools: [{ type: 'custom', name: 'p', description: 'd', format }] })
  expect(decoded.request.tools?.[0]).toMatchObject({
    name: 'p',
    description: 'd\n\nThe input must follow this lark grammar:\nstart: "a"',
    input_schema: { required: ['input'] },
  })
  expect(codes(decoded)).toEqual(['grammar_as_words'])
})

test('S5: tools of a namespace are offered under its name', () => {
  const { request } = decode({ input: 'x', tools: [{ type: 'namespace', name: 'mcp', tools: [FUNCTION] }] })
  expect(request.tools).toMatchObject([{ name: 'mcp__f' }])
})

test('S6: the local shell is a function', () => {
  expect(decode({ input: 'x', tools: [{ type: 'local_shell' }] }).request.tools).toMatchObject([
    { name: 'local_shell', input_schema: { required: ['command'] } },
  ])
})

test('S7: what nobody knows is left out with a note: a tool, an item, a field', () => {
  const input = [{ role: 'user', content: 'Hi' }, { type: 'alien' }]
  const decoded = decode({ input, tools: [{ type: 'alien' }], alien: 1 })
  expect(codes(decoded)).toEqual(['tool_dropped', 'item_dropped', 'field_ignored'])
  expect(decoded.request.messages).toHaveLength(1)
})

test('S7: so is a field of an item, a part, a tool or a setting, once for all places', () => {
  const call = { type: 'function_call', id: 'fc', status: 'completed', name: 'f', arguments: '{}' }
  const output = { type: 'function_call_output', output: [{ type: 'input_text', text: 'r', alien: 1 }] }
  const input = ['c1', 'c2'].flatMap((call_id) => [
    { ...call, call_id },
    { ...output, call_id, phase: 'commentary' },
  ])
  const tools = [{ ...FUNCTION, defer_loading: true, strict: false, allowed_callers: [] }]
  const { notes } = decode({ input, tools, reasoning: { context: 'all_turns' }, text: { alien: true } })
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'field_ignored tools[].defer_loading',
    'field_ignored input[].phase',
    'field_ignored input[].output[].alien',
    'field_ignored reasoning.context',
    'field_ignored text.alien',
  ])
})

test('S22: a cache breakpoint is a mark on its block, also inside of a result', () => {
  const part = { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
  const input = [
    { role: 'user', content: [part] },
    call,
    { type: 'function_call_output', call_id: 'c', output: [part] },
  ]
  const block = { type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }
  expect(decode({ input }).request.messages).toMatchObject([
    { content: [block] },
    { role: 'assistant' },
    { content: [{ type: 'tool_result', content: [block] }] },
  ])
})

test('S8: limits, effort, format and verbosity', () => {
  const { request } = decode({
    input: 'x',
    max_output_tokens: 9,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } }, verbosity: 'low' },
  })
  expect(request).toMatchObject({
    max_tokens: 9,
    output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
    extras: { verbosity: 'low', schema_name: 'n' },
  })
})

test('S8: a tier of service that only OpenAI has goes along for its servers', () => {
  expect(decode({ input: 'x', service_tier: 'flex' }).request.extras).toEqual({ service_tier: 'flex' })
  expect(decode({ input: 'x', service_tier: 'default' }).request.service_tier).toBe('standard_only')
})

test('S8: what is asked for and not to be had leaves a note', () => {
  const format = { type: 'json_schema', name: 'n', description: 'd', schema: {} }
  const include = ['reasoning.encrypted_content', 'message.output_text.logprobs']
  const { notes } = decode({ input: 'x', text: { format }, include })
  expect(notes.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'field_ignored include[1]',
    'field_ignored text.format.description',
  ])
})

test('S9: a choice of calls, one at a time', () => {
  const { request } = decode({
    input: 'x',
    tools: [FUNCTION],
    tool_choice: 'required',
    parallel_tool_calls: false,
  })
  expect(request.tool_choice).toEqual({ type: 'any', disable_parallel_tool_use: true })
})

test('S10: a choice among some offers only those', () => {
  const tool_choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'g' }] }
  const { request } = decode({ input: 'x', tools: [FUNCTION, { ...FUNCTION, name: 'g' }], tool_choice })
  expect(request.tools?.map((tool) => 'name' in tool && tool.name)).toEqual(['g'])
})

test.each([
  [{ input: [] }, 'input'],
  [{ input: [{ role: 'user', content: 5 }] }, 'input[0].content'],
  [{ input: 'x', model: 5 }, 'model'],
  [{ input: 'x', previous_response_id: 'resp_9' }, 'previous_response_id'],
  [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/svg+xml,<svg/>' }] }] },
    'input[0].content[0].image_url',
  ],
])('S11: a fault is named by its path: %j', (body, path) => {
  expect.assertions(1)
  try {
    decode(body)
  } catch (error) {
    expect(error instanceof HubError && error.path).toBe(path)
  }
})

function answerWith(memory: Memory, fields: object = {}): void {
  const { reply } = decode({ input: 'Hi', ...fields }, { memory })
  client.encodeResponse(
    {
      id: 'resp_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Yes.', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: usageOf({}),
    },
    reply,
  )
}

test('S12: an answer can be continued by its id', () => {
  const memory = mapMemory()
  answerWith(memory)
  const { request } = decode({ input: 'And?', previous_response_id: 'resp_1' }, { memory })
  expect(request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

test('S13: what shall not be stored is not', () => {
  const memory = mapMemory()
  answerWith(memory, { store: false })
  expect(memory.keys()).toEqual([])
})
