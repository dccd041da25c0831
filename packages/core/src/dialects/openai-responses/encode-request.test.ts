import { expect, test } from 'vitest'
import type { HubMessage } from '../../hub/request.ts'
import { sealEnvelope } from '../../identity/envelope.ts'
import { responsesProfiles } from '../../providers/responses-profiles.ts'
import type { EncodedRequest } from '../dialect.ts'
import { openaiResponses } from './index.ts'

const { upstream } = openaiResponses
const HELLO: HubMessage = { role: 'user', content: 'Hi' }
const SAID = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }
const READ = { name: 'Read', input_schema: { type: 'object' as const } }

function encode(fields: object = {}, model = 'gpt-5.5'): EncodedRequest {
  const target = { model, profile: upstream.defaultProfile }
  return upstream.encodeRequest({ model: 'm', max_tokens: 100, messages: [HELLO], ...fields }, target)
}

const codes = ({ notes }: EncodedRequest): string[] => notes.map(({ code }) => code)

test('P1: nothing is kept at the provider, and the conversation comes last', () => {
  const { path, body } = encode()
  expect([path, body['store'], Object.keys(body).at(-1)]).toEqual(['/responses', false, 'input'])
  expect(body['input']).toEqual([SAID])
})

test('P2: the system prompt is instructions, and a later system message a developer’s', () => {
  const { body } = encode({
    system: 'Brief.',
    messages: [HELLO, { role: 'system', content: 'Mind.' }, HELLO],
  })
  const mind = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Mind.' }] }
  expect([body['instructions'], body['input']]).toEqual(['Brief.', [SAID, mind, SAID]])
})

test('P3: a limit is at least what the API takes, with a note', () => {
  const encoded = encode({ max_tokens: 5 })
  expect([encoded.body['max_output_tokens'], codes(encoded)]).toEqual([16, ['max_tokens_changed']])
})

test('P4: sampling goes along, but for top_k', () => {
  const encoded = encode({ temperature: 0.5, top_p: 0.9, top_k: 3 })
  expect(encoded.body).toMatchObject({ temperature: 0.5, top_p: 0.9 })
  expect([encoded.body['top_k'], codes(encoded)]).toEqual([undefined, ['sampling_dropped']])
})

test('P5: stop sequences are matched here: the API knows none', () => {
  const encoded = encode({ stop_sequences: ['X'] })
  expect([encoded.reply.ownStopSequences, codes(encoded)]).toEqual([['X'], ['stop_matched_here']])
})

test('P6: reasoning comes encrypted, for the next turn, where the model reasons', () => {
  expect(encode().body['include']).toEqual(['reasoning.encrypted_content'])
  expect(encode({}, 'gpt-4o').body['include']).toBeUndefined()
})

test('P7: effort and its summary; thinking that is off is no effort', () => {
  const high = encode({ output_config: { effort: 'high' }, thinking: { type: 'adaptive' } }).body['reasoning']
  const none = encode({ thinking: { type: 'disabled' } }).body['reasoning']
  expect([high, none]).toEqual([{ effort: 'high', summary: 'auto' }, { effort: 'none' }])
})

function textOf(schema: object): unknown {
  return encode({ output_config: { format: { type: 'json_schema', schema } } }).body['text']
}

test('P8: a schema for the answer, strict only if it is closed', () => {
  const closed = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }
  expect(textOf(closed)).toMatchObject({ format: { type: 'json_schema', name: 'output', strict: true } })
  expect(textOf({ type: 'object' })).not.toMatchObject({ format: { strict: true } })
})

test('P9: a tool is a function that says whether it is strict', () => {
  const { body } = encode({ tools: [READ] })
  const parameters = { type: 'object', properties: {} }
  expect(body['tools']).toEqual([{ type: 'function', name: 'Read', parameters, strict: false }])
})

test.each([
  [{ type: 'any' }, 'required'],
  [{ type: 'none' }, 'none'],
  [
    { type: 'tool', name: 'Read' },
    { type: 'function', name: 'Read' },
  ],
])('P10: the choice %j is %j', (choice, wanted) => {
  expect(encode({ tools: [READ], tool_choice: choice }).body['tool_choice']).toEqual(wanted)
})

test('P11: one call at a time', () => {
  const choice = { type: 'auto', disable_parallel_tool_use: true }
  expect(encode({ tools: [READ], tool_choice: choice }).body['parallel_tool_calls']).toBe(false)
})

test('P12: a search of the web is OpenAI’s own, with its sources', () => {
  const { body } = encode({
    tools: [{ type: 'web_search_20250305', name: 'web_search', allowed_domains: ['a.b'] }],
  })
  expect(body['tools']).toEqual([{ type: 'web_search', filters: { allowed_domains: ['a.b'] } }])
  expect(body['include']).toContain('web_search_call.action.sources')
})

test('P17: a tier of service reaches OpenAI, and leaves a note elsewhere', () => {
  const extras = { service_tier: 'flex' }
  const target = { model: 'gpt-5.5', profile: responsesProfiles.openai }
  const { body } = upstream.encodeRequest({ model: 'm', messages: [HELLO], extras }, target)
  expect(body['service_tier']).toBe('flex')
  const other = encode({ extras })
  expect([other.body['service_tier'], codes(other)]).toEqual([undefined, ['field_ignored']])
})

test('P18: some JSON object is asked for in the input too, where it does not begin with the word', () => {
  const extras = { json_object: true }
  const form = { format: { type: 'json_object' } }
  const told = encode({ extras, system: 'Answer in JSON.' })
  const words = [{ type: 'input_text', text: 'Answer with one JSON object, and with nothing else.' }]
  expect(told.body).toMatchObject({ text: form, instructions: 'Answer in JSON.' })
  expect(told.body['input']).toEqual([{ type: 'message', role: 'developer', content: words }, SAID])
  expect(codes(told)).toEqual(['json_instruction_added'])
  const said = encode({ extras, messages: [{ role: 'user', content: 'As json, please' }, HELLO] })
  expect([said.body['text'], (said.body['input'] as unknown[]).length, codes(said)]).toEqual([form, 2, []])
  const later = encode({ extras, messages: [HELLO, { role: 'user', content: 'As JSON, please' }] })
  expect(later.body['input']).toMatchObject([{ role: 'developer' }, SAID, {}])
})

test('P18: so is a schema of something else than objects, which the API refuses', () => {
  const format = { type: 'json_schema', schema: { type: 'array' } }
  const encoded = encode({ output_config: { format } })
  const words = 'Answer with JSON that fits this JSON schema, and with nothing else:\n{"type":"array"}'
  expect(encoded.body['text']).toBeUndefined()
  expect(encoded.body['input']).toMatchObject([{ content: [{ text: words }] }, SAID])
  expect(codes(encoded)).toEqual(['schema_as_prompt'])
})

test('P18: so is a schema that the model cannot be given', () => {
  const format = { type: 'json_schema', schema: { type: 'object' } }
  const target = { model: 'gpt-4', profile: responsesProfiles.openai }
  const request = { model: 'm', system: 'Brief.', messages: [HELLO], output_config: { format } }
  const { body } = upstream.encodeRequest(request as never, target)
  expect(body).toMatchObject({ instructions: 'Brief.', input: [{ role: 'developer' }, SAID] })
})

const CALL = { type: 'tool_use', id: 'c1', name: 'Read', input: { p: 1 } } as const
const result = (content: unknown): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 'c1', content }],
})

test('P13: a turn is its text and its calls, without ids of items', () => {
  const turn = { role: 'assistant', content: [{ type: 'text', text: 'Ok' }, CALL] }
  expect(encode({ messages: [HELLO, turn, result('done')] }).body['input']).toEqual([
    SAID,
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Ok' }] },
    { type: 'function_call', call_id: 'c1', name: 'Read', arguments: '{"p":1}' },
    { type: 'function_call_output', call_id: 'c1', output: 'done' },
  ])
})

test('P14: a result keeps its images', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }
  const { body } = encode({ messages: [HELLO, { role: 'assistant', content: [CALL] }, result([image])] })
  const output = [{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' }]
  expect(body['input']).toContainEqual({ type: 'function_call_output', call_id: 'c1', output })
})

function turnOf(signature: string): object {
  return { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature }, CALL] }
}

test('P15: a proof of its own goes back raw, and that of another provider never', () => {
  const own = encode({
    messages: [HELLO, turnOf(sealEnvelope({ by: 'openai-responses', proof: 'gAAA' })), result('x')],
  })
  const other = encode({ messages: [HELLO, turnOf('EqQ'), result('x')] })
  expect(own.body['input']).toContainEqual(
    expect.objectContaining({ type: 'reasoning', encrypted_content: 'gAAA' }),
  )
  expect(JSON.stringify(other.body)).not.toMatch(/EqQ|Hm\./)
  expect(codes(other)).toEqual(['thinking_dropped'])
})

test('P16: images and documents are parts of a message', () => {
  const content = [
    { type: 'image', source: { type: 'url', url: 'https://a/b.png' } },
    { type: 'document', title: 'T', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' } },
  ]
  expect(encode({ messages: [{ role: 'user', content }] }).body['input']).toMatchObject([
    {
      content: [
        { type: 'input_image', image_url: 'https://a/b.png' },
        { type: 'input_file', filename: 'T', file_data: 'data:application/pdf;base64,AA==' },
      ],
    },
  ])
})
