import { expect, test } from 'vitest'
import { anthropic } from '../anthropic/index.ts'
import { sealEnvelope } from '../../identity/envelope.ts'
import { HubError } from '../../hub/error.ts'
import { encodeRequest } from './encode-request.ts'
import { defaultProfile } from './profile.ts'
import { sealCallSignature, sealPart, sealTextSignature } from './thinking.ts'

interface Encoded {
  readonly path: string
  readonly query: string
  readonly body: Readonly<Record<string, unknown>>
  readonly codes: readonly string[]
}

/** A Messages request as Gemini gets it, with the codes of the notes. */
function encoded(fields: object, model = 'gemini-3-flash-preview', profile = defaultProfile): Encoded {
  const body = { model: 'claude-test', max_tokens: 1000, messages: [user('Hello.')], ...fields }
  const { request } = anthropic.client.decodeRequest({ body })
  const { path, query, body: sent, notes } = encodeRequest(request, { model, profile })
  return { path, query, body: sent, codes: notes.map(({ code }) => code) }
}

function user(content: unknown): object {
  return { role: 'user', content }
}

function assistant(...content: readonly object[]): object {
  return { role: 'assistant', content }
}

const call = (id: string, name = 'Read', input: object = { path: '/a' }): object => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const result = (id: string, content: unknown = 'ok', more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more,
})
const tool = (name: string, schema: object = { type: 'object', properties: {} }): object => ({
  name,
  description: `does ${name}`,
  input_schema: schema,
})

const thinking = (signature: string, words = ''): object => ({ type: 'thinking', thinking: words, signature })

test('G1: the model is in the path and the form of the stream in the query', () => {
  expect(encoded({ stream: true })).toMatchObject({
    path: '/models/gemini-3-flash-preview:streamGenerateContent',
    query: 'alt=sse',
  })
  expect(encoded({}, 'tunedModels/my model')).toMatchObject({
    path: '/tunedModels/my%20model:generateContent',
    query: '',
  })
})

test('G2: the system prompt is a part per block, without the line that ruins prompt caches', () => {
  const system = [
    { type: 'text', text: 'x-anthropic-billing-header: cc_version=1' },
    { type: 'text', text: 'Be brief.' },
    { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } },
  ]
  const { body, codes } = encoded({ system })
  expect(body['systemInstruction']).toEqual({ parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] })
  expect(codes).toContain('billing_line_dropped')
})

test('G3: a system message between the turns becomes a reminder of the user', () => {
  const { body, codes } = encoded({ messages: [user('Hi.'), { role: 'system', content: 'Now in German.' }] })
  expect(body['contents']).toEqual([
    {
      role: 'user',
      parts: [{ text: 'Hi.' }, { text: '<system-reminder>\nNow in German.\n</system-reminder>' }],
    },
  ])
  expect(codes).toContain('system_as_reminder')
})

test('G4: all results come in one turn, in the order of their calls, each under the name of its call', () => {
  const { body } = encoded({
    tools: [tool('Read'), tool('Bash')],
    messages: [
      user('Go.'),
      assistant(call('a'), call('b', 'Bash', { command: 'ls' })),
      user([result('b', 'two'), result('a', 'one'), { type: 'text', text: 'And?' }]),
    ],
  })
  expect(body['contents']).toMatchObject([
    { role: 'user' },
    {
      role: 'model',
      parts: [
        { functionCall: { id: 'a', name: 'Read', args: { path: '/a' } } },
        { functionCall: { id: 'b', name: 'Bash', args: { command: 'ls' } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'a', name: 'Read', response: { output: 'one' } } },
        { functionResponse: { id: 'b', name: 'Bash', response: { output: 'two' } } },
        { text: 'And?' },
      ],
    },
  ])
})

/** What Gemini gets of one result. */
function response(content: object): unknown {
  const messages = [user('Go.'), assistant(call('a')), user([content])]
  return (encoded({ messages }).body['contents'] as { parts: object[] }[])[2]?.parts[0]
}

test('G5: the output of a tool is a string, and a failure is told under its own key', () => {
  expect(response(result('a', '{"$ref":"#/x"}'))).toMatchObject({
    functionResponse: { response: { output: '{"$ref":"#/x"}' } },
  })
  expect(response(result('a', 'no such file', { is_error: true }))).toMatchObject({
    functionResponse: { response: { error: 'no such file' } },
  })
})

const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

test('G6: images of a result are inside of it from Gemini 3 on, and behind all results before', () => {
  const messages = [user('Go.'), assistant(call('a')), user([result('a', [PNG])])]
  const inline = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
  const parts = (model: string): unknown =>
    (encoded({ messages }, model).body['contents'] as { parts: object[] }[])[2]?.parts
  expect(parts('gemini-3-flash-preview')).toMatchObject([{ functionResponse: { parts: [inline] } }])
  expect(parts('gemini-2.5-flash')).toMatchObject([
    { functionResponse: { response: { output: '[1 attachment(s), after the results]' } } },
    { text: '[Attachments of Read]' },
    inline,
  ])
})

test('G7: a signature goes back on the part that it came with, and the words of thoughts never', () => {
  const { body, codes } = encoded({
    messages: [
      user('Go.'),
      assistant(
        thinking(sealTextSignature('VEVYVA==')),
        { type: 'text', text: 'Reading.' },
        thinking(sealCallSignature('Q0FMTA==', 'a'), 'I need it.'),
        call('a'),
        call('b'),
      ),
      user([result('a'), result('b')]),
    ],
  })
  expect((body['contents'] as object[])[1]).toEqual({
    role: 'model',
    parts: [
      { text: 'Reading.', thoughtSignature: 'VEVYVA==' },
      { functionCall: { id: 'a', name: 'Read', args: { path: '/a' } }, thoughtSignature: 'Q0FMTA==' },
      { functionCall: { id: 'b', name: 'Read', args: { path: '/a' } } },
    ],
  })
  expect(codes).toContain('thinking_dropped')
})

test('G8: a proof of another provider never reaches Google: its documented stand-in signs the first call', () => {
  const foreign = [
    { type: 'thinking', thinking: 'hm', signature: 'of-anthropic' },
    { type: 'thinking', thinking: '', signature: sealEnvelope({ by: 'openai-responses', proof: 'gAAA' }) },
    { type: 'redacted_thinking', data: 'secret' },
  ]
  const messages = [
    user('Go.'),
    assistant(...foreign, call('a'), call('b')),
    user([result('a'), result('b')]),
  ]
  const three = encoded({ messages })
  expect(JSON.stringify(three.body)).not.toMatch(/of-anthropic|gAAA|secret|hm/)
  expect((three.body['contents'] as object[])[1]).toMatchObject({
    parts: [{ thoughtSignature: 'skip_thought_signature_validator' }, { functionCall: { id: 'b' } }],
  })
  expect(three.codes).toContain('signature_invented')
  expect(JSON.stringify(encoded({ messages }, 'gemini-2.5-pro').body)).not.toContain('thoughtSignature')
})

test('G9: what a tool of Google did goes back where such tools are still offered', () => {
  const part = { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', id: 't1' }, thoughtSignature: 'dG9vbA==' }
  const kept = { type: 'thinking', thinking: '', signature: sealPart(part) }
  const messages = [user('Go.'), assistant(kept, { type: 'text', text: 'Found.' }), user('More.')]
  const search = { type: 'web_search_20250305', name: 'web_search' }
  const contents = (fields: object): unknown => encoded({ messages, ...fields }).body['contents']
  expect(contents({ tools: [search] })).toMatchObject([{}, { parts: [part, { text: 'Found.' }] }, {}])
  expect(contents({})).toMatchObject([{}, { parts: [{ text: 'Found.' }] }, {}])
})

test('G10: tools are one list of functions with JSON schemas, Google’s own stand beside', () => {
  const { body, codes } = encoded({
    tools: [tool('Read'), { type: 'web_search_20250305', name: 'web_search' }],
  })
  expect(body['tools']).toEqual([
    { googleSearch: {} },
    {
      functionDeclarations: [
        {
          name: 'Read',
          description: 'does Read',
          parametersJsonSchema: { type: 'object', properties: {} },
        },
      ],
    },
  ])
  expect(body['toolConfig']).toEqual({ includeServerSideToolInvocations: true })
  expect(codes).toContain('tool_replaced')
})

test.each<[object, object | undefined]>([
  [{ type: 'auto' }, undefined],
  [{ type: 'any' }, { functionCallingConfig: { mode: 'ANY' } }],
  [{ type: 'none' }, { functionCallingConfig: { mode: 'NONE' } }],
  [
    { type: 'tool', name: 'Read' },
    { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['Read'] } },
  ],
])('G11: the choice of tools %j', (choice, config) => {
  expect(encoded({ tools: [tool('Read')], tool_choice: choice }).body['toolConfig']).toEqual(config)
})

test('G12: schemas are said with the keywords that Google evaluates, and what is lost leaves a note', () => {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      kind: { const: 'a' },
      count: { type: 'integer', exclusiveMinimum: 0 },
      name: { type: 'string', pattern: '^a' },
      list: { type: 'array' },
    },
    allOf: [{ properties: { more: { type: 'string' } }, required: ['more'] }],
    additionalProperties: false,
  }
  const { body, codes } = encoded({ tools: [tool('Read', schema)] })
  expect(body['tools']).toMatchObject([
    {
      functionDeclarations: [
        {
          parametersJsonSchema: {
            type: 'object',
            properties: {
              kind: { enum: ['a'] },
              count: { type: 'integer', minimum: 1 },
              name: { type: 'string' },
              list: { type: 'array', items: {} },
              more: { type: 'string' },
            },
            required: ['more'],
            additionalProperties: false,
          },
        },
      ],
    },
  ])
  expect(codes).toEqual(['schema_keyword_dropped'])
})

test.each<[string, object, object | undefined]>([
  ['gemini-2.0-flash', { thinking: { type: 'enabled', budget_tokens: 2048 } }, undefined],
  ['gemini-2.5-flash', { thinking: { type: 'enabled', budget_tokens: 2048 } }, { thinkingBudget: 2048 }],
  ['gemini-2.5-flash', { thinking: { type: 'disabled' } }, { thinkingBudget: 0, includeThoughts: false }],
  ['gemini-2.5-pro', { thinking: { type: 'disabled' } }, { thinkingBudget: 128, includeThoughts: false }],
  ['gemini-2.5-flash-lite', { output_config: { effort: 'high' } }, { thinkingBudget: 24_576 }],
  ['gemini-3-pro-preview', { output_config: { effort: 'medium' } }, { thinkingLevel: 'LOW' }],
  ['gemini-3-flash-preview', { thinking: { type: 'disabled' } }, { thinkingLevel: 'MINIMAL' }],
  ['gemini-3.8-flash', { thinking: { type: 'disabled' } }, { thinkingLevel: 'LOW' }],
  ['gemini-4-argon', { output_config: { effort: 'max' } }, { thinkingLevel: 'HIGH', includeThoughts: true }],
  ['gemini-4-argon', { thinking: { type: 'enabled', budget_tokens: 8000 } }, { thinkingLevel: 'MEDIUM' }],
])('G13: %s is told to think as its family takes it: %j', (model, fields, config) => {
  const generation = encoded({ max_tokens: 9000, ...fields }, model).body['generationConfig'] as {
    thinkingConfig?: object
  }
  if (config === undefined) expect(generation.thinkingConfig).toBeUndefined()
  else expect(generation.thinkingConfig).toMatchObject(config)
})

test('G14: an answer bound to a schema is asked for in Google’s words, in the prompt beside functions of old', () => {
  const format = { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'string' } } } }
  const fields = { output_config: { format }, tools: [tool('Read')] }
  expect(encoded(fields).body['generationConfig']).toMatchObject({
    responseMimeType: 'application/json',
    responseJsonSchema: format.schema,
  })
  const old = encoded(fields, 'gemini-2.5-flash')
  expect(old.body['generationConfig']).not.toHaveProperty('responseJsonSchema')
  expect(JSON.stringify(old.body['systemInstruction'])).toContain('JSON schema')
  expect(old.codes).toContain('schema_as_prompt')
})

test('G15: sampling is left out for models that do not take it any more', () => {
  const fields = { temperature: 0.5, top_p: 0.9, top_k: 40 }
  expect(encoded(fields, 'gemini-2.5-pro').body['generationConfig']).toMatchObject({
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
  })
  const newest = encoded(fields, 'gemini-4-argon')
  expect(newest.body['generationConfig']).toEqual({ maxOutputTokens: 1000 })
  expect(newest.codes.filter((code) => code === 'sampling_dropped')).toHaveLength(3)
})

test('G16: more stop sequences than Google takes are matched in the answer', () => {
  expect(encoded({ stop_sequences: ['a', 'b'] }).body['generationConfig']).toMatchObject({
    stopSequences: ['a', 'b'],
  })
  const many = encoded({ stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] })
  expect(many.body['generationConfig']).not.toHaveProperty('stopSequences')
  expect(many.codes).toContain('stop_matched_here')
})

test('G17: a request that ends with the model is closed by the user where Google refuses it', () => {
  const messages = [user('Go.'), assistant({ type: 'text', text: 'It is' })]
  expect(encoded({ messages }, 'gemini-4-argon').body['contents']).toMatchObject([
    {},
    {},
    { role: 'user', parts: [{ text: 'Continue.' }] },
  ])
  expect(encoded({ messages }, 'gemini-2.5-pro').body['contents']).toHaveLength(2)
})

test('G18: Vertex takes no ids of calls', () => {
  const messages = [user('Go.'), assistant(call('a')), user([result('a')])]
  const { body } = encoded({ messages }, 'gemini-2.5-pro', { ...defaultProfile, takesCallIds: false })
  expect(JSON.stringify(body)).not.toContain('"id"')
})

test('G19: a file that only Anthropic has is refused with its place', () => {
  const image = { type: 'image', source: { type: 'file', file_id: 'file_1' } }
  const error: unknown = (() => {
    try {
      return encoded({ messages: [user([image])] })
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(HubError)
  expect(error).toMatchObject({ status: 400, path: 'messages[0].content[0].source.file_id' })
})

test('G20: a longer conversation begins with the same bytes', () => {
  const fields = { system: 'Be brief.', tools: [tool('Read')] }
  const messages = [user('Go.'), assistant(call('a')), user([result('a')])]
  const short = JSON.stringify(encoded({ ...fields, messages }).body)
  const more = [...messages, assistant({ type: 'text', text: 'Done.' }), user('And now?')]
  const long = JSON.stringify(encoded({ ...fields, messages: more }).body)
  expect(long.startsWith(short.slice(0, short.lastIndexOf(']')))).toBe(true)
})

const REFERRED = {
  A: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  B: { type: 'object', properties: { b: { type: 'string' } } },
}

/** What becomes of the one property of a tool. */
function property(schema: object, $defs: object = REFERRED): { told: unknown; codes: readonly string[] } {
  const { parameters, codes } = parametersOf({ type: 'object', properties: { it: schema }, $defs })
  return { told: (parameters['properties'] as { it: unknown }).it, codes }
}

/** What becomes of the schema of a tool. */
function parametersOf(schema: object): { parameters: Record<string, unknown>; codes: readonly string[] } {
  const { body, codes } = encoded({ tools: [tool('Read', schema)] })
  const [offered] = body['tools'] as [
    { functionDeclarations: [{ parametersJsonSchema: Record<string, unknown> }] },
  ]
  return { parameters: offered.functionDeclarations[0].parametersJsonSchema, codes }
}

test('G12: what stands beside a reference is kept, with what it refers to', () => {
  expect(property({ $ref: '#/$defs/A' })).toEqual({ told: { $ref: '#/$defs/A' }, codes: [] })
  const words = { $ref: '#/$defs/A', description: 'The one.' }
  expect(property(words)).toEqual({ told: { ...REFERRED.A, description: 'The one.' }, codes: [] })
  expect(property({ $ref: '#/properties/it/x', x: REFERRED.B }).told).toMatchObject(REFERRED.B)
})

test('G12: all that an `allOf` refers to adds up', () => {
  const both = { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], properties: { c: {} } }
  expect(property(both)).toEqual({
    told: {
      type: 'object',
      properties: { ...REFERRED.A.properties, ...REFERRED.B.properties, c: {} },
      required: ['a'],
    },
    codes: [],
  })
})

/** A definition that refers to the next one twice. */
function twice(index: number): object {
  const next = (name: string): [string, object] => [
    name,
    { $ref: `#/$defs/D${index + 1}`, description: name },
  ]
  return { properties: Object.fromEntries(['x', 'y'].map(next)) }
}

test('G12: a reference that leads back to itself stays, and many of them do not grow without an end', () => {
  const list = { $ref: '#/$defs/L', description: 'more' }
  const { told } = property(list, { L: { type: 'object', properties: { next: list } } })
  expect(told).toEqual({
    type: 'object',
    properties: { next: { $ref: '#/$defs/L' } },
    description: 'more',
  })
  const levels = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`D${index}`, twice(index)]))
  expect(JSON.stringify(property({ $ref: '#/$defs/D0', title: 'x' }, levels).told).length).toBeLessThan(
    50_000,
  )
})

test('G12: a schema whose top is a reference is what it refers to', () => {
  const schema = { $ref: '#/definitions/Input', definitions: { Input: REFERRED.A } }
  const { parameters } = parametersOf(schema)
  expect(parameters).toMatchObject(REFERRED.A)
  expect(parameters).not.toHaveProperty('$ref')
  const nowhere = parametersOf({ $ref: 'https://example.com/x.json' })
  expect(nowhere).toEqual({
    parameters: { type: 'object', properties: {} },
    codes: ['schema_keyword_dropped'],
  })
})

test('G10: what a search may not find, and how often it may look, cannot be told Google', () => {
  const search = {
    type: 'web_search_20250305',
    name: 'web_search',
    allowed_domains: ['a.example'],
    max_uses: 3,
  }
  const { body, codes } = encoded({ tools: [{ ...search, blocked_domains: null }] })
  expect(body['tools']).toEqual([{ googleSearch: {} }])
  expect(codes).toEqual(['tool_replaced', 'allowed_domains_dropped', 'max_uses_dropped'])
})
