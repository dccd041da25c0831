import { expect, test } from 'vitest'
import { HubError } from '../../hub/error.ts'
import type { HubRequest } from '../../hub/request.ts'
import { plainCall } from '../plain-call.ts'
import { decodeCount, decodeRequest } from './decode-request.ts'
import type { GeminiReply } from './reply.ts'
import { packThinking, sealCallSignature, sealTextSignature } from './thinking.ts'

const MODEL = 'gemini-test'
const HELLO = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] }

interface Decoded {
  readonly request: HubRequest
  readonly reply: GeminiReply
  readonly notes: readonly string[]
}

function decoded(fields: object, method = 'generateContent', query = {}): Decoded {
  const path = `/v1beta/models/${MODEL}:${method}`
  const call = plainCall({ ...HELLO, ...fields }, { path, params: { model: MODEL }, query })
  const { request, reply, notes } = decodeRequest(call)
  return { request, reply, notes: notes.map(({ code, path: place }) => `${code} ${place}`) }
}

function faultOf(fields: object): { path: string | undefined; message: string } {
  try {
    decoded(fields)
  } catch (error) {
    if (error instanceof HubError) return { path: error.path, message: error.message }
    throw error
  }
  throw new Error('expected a fault')
}

function user(...parts: readonly object[]): object {
  return { role: 'user', parts }
}

function model(...parts: readonly object[]): object {
  return { role: 'model', parts }
}

const callPart = (name: string, more: object = {}, id?: string): object => ({
  functionCall: { ...(id !== undefined && { id }), name, args: { path: '/a' } },
  ...more,
})
const resultPart = (name: string, response: object = { output: 'ok' }, id?: string): object => ({
  functionResponse: { ...(id !== undefined && { id }), name, response },
})

/** The turns of a conversation in the hub's form. */
function turns(...contents: readonly object[]): HubRequest['messages'] {
  return decoded({ contents }).request.messages
}

test('G40: the model is in the path, and so is whether the answer is streamed', () => {
  expect(decoded({ model: 'models/other' }).request).toEqual({
    model: MODEL,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
  })
  expect(decoded({}).reply.stream).toBeUndefined()
  const events = decoded({}, 'streamGenerateContent', { alt: 'sse' })
  expect(events.request.stream).toBe(true)
  expect(events.reply).toMatchObject({
    isArray: false,
    stream: { contentType: 'text/event-stream; charset=utf-8', headWithin: 40_000 },
  })
  const array = decoded({}, 'streamGenerateContent')
  expect(array.reply).toMatchObject({
    isArray: true,
    stream: { contentType: 'application/json; charset=utf-8' },
  })
})

test.each([
  [{ 'user-agent': 'google-genai-sdk/2.21.0' }, 'sse', true],
  [{ 'user-agent': 'GeminiCLI/0.61.0/gemini-test (linux; x64)' }, 'sse', undefined],
  [{ 'user-agent': 'google-genai-sdk/2.21.0' }, 'json', undefined],
  [{}, 'sse', undefined],
])('G81: the connection of a failed stream breaks for %j, alt=%s: %s', (headers, alt, expected) => {
  const path = `/v1beta/models/${MODEL}:streamGenerateContent`
  const call = plainCall(HELLO, { path, params: { model: MODEL }, query: { alt }, headers })
  expect(decodeRequest(call).reply.stream?.breaksWhenFailed).toBe(expected)
})

test('G41: a sign of life is a thought without words, because a comment breaks Google’s clients', () => {
  const { keepAlive = '' } = decoded({}, 'streamGenerateContent', { alt: 'sse' }).reply.stream ?? {}
  expect(keepAlive).toMatch(/^data: \{.*\}\r\n\r\n$/)
  expect(JSON.parse(keepAlive.slice('data: '.length))).toMatchObject({
    candidates: [{ content: { role: 'model', parts: [{ text: '', thought: true }] } }],
  })
})

test('G42: names are read in both spellings, and numbers of enumerations by their names', () => {
  const { request, notes } = decoded({
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: [
      user({ inline_data: { mime_type: 'image/png', data: 'AA-_' } }),
      model({ function_call: { name: 'Read', args: { file_path: 'x' } } }),
      user({ function_response: { name: 'Read', response: { result: 'ok' } } }),
    ],
    tools: [{ function_declarations: [{ name: 'Read', parameters: { type: 6 } }] }],
    tool_config: { function_calling_config: { mode: 2 } },
    generation_config: { max_output_tokens: 7, stop_sequences: ['x'] },
  })
  expect(notes).toEqual([])
  expect(request).toMatchObject({
    system: [{ type: 'text', text: 'Be brief.' }],
    tool_choice: { type: 'any' },
    max_tokens: 7,
    stop_sequences: ['x'],
  })
  expect(request.messages).toEqual([
    {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA+/' } }],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1_0', name: 'Read', input: { file_path: 'x' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1_0', content: 'ok' }] },
  ])
})

test('G42: null beside what a part is says nothing', () => {
  const nulls = {
    thought: null,
    functionCall: null,
    inlineData: null,
    executable_code: null,
    toolResponse: null,
  }
  const { request, notes } = decoded({ contents: [user({ text: 'Hello.', ...nulls })] })
  expect(request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }])
  expect(notes).toEqual([])
})

test('G43: neighbours of one side are one turn, and a missing role is the user’s', () => {
  expect(
    turns(
      { parts: [{ text: 'a' }] },
      user({ text: 'b' }, { text: '' }),
      model({ text: 'c' }),
      model({ text: 'd' }),
    ),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
      ],
    },
  ])
})

test('G44: without ids, results belong to the calls of their names, in order', () => {
  const [, calls, results] = turns(
    user({ text: 'Go.' }),
    model(callPart('Read'), callPart('Bash'), callPart('Read')),
    user(
      resultPart('Read', { output: '1' }),
      resultPart('Read', { output: '2' }),
      resultPart('Bash', { output: '3' }),
    ),
  )
  expect(calls?.content).toMatchObject([{ id: 'call_1_0' }, { id: 'call_1_1' }, { id: 'call_1_2' }])
  expect(results?.content).toMatchObject([
    { tool_use_id: 'call_1_0', content: '1' },
    { tool_use_id: 'call_1_2', content: '2' },
    { tool_use_id: 'call_1_1', content: '3' },
  ])
})

test('G45: an id that is used twice is made distinct, and a result that comes twice is left out', () => {
  const { request, notes } = decoded({
    contents: [
      user({ text: 'Go.' }),
      model(callPart('Read', {}, 'x'), callPart('Read', {}, 'x')),
      user(
        resultPart('Read', { output: '1' }, 'x'),
        resultPart('Read', { output: '2' }, 'x'),
        resultPart('Read', { output: '1' }, 'x'),
      ),
    ],
  })
  expect(request.messages[1]?.content).toMatchObject([{ id: 'x' }, { id: 'x_2' }])
  expect(request.messages[2]?.content).toMatchObject([
    { tool_use_id: 'x', content: '1' },
    { tool_use_id: 'x_2', content: '2' },
  ])
  expect(notes).toEqual([
    'call_id_distinct contents[1].parts[1].functionCall',
    'result_duplicate contents[2].parts[2].functionResponse',
  ])
})

test.each<[object, object]>([
  [{ output: 'words' }, { content: 'words' }],
  [{ content: 'words' }, { content: 'words' }],
  [{ error: 'no' }, { content: 'no', is_error: true }],
  [{ output: { a: 1 } }, { content: '{"a":1}' }],
  [{ output: 'x', code: 1 }, { content: '{"output":"x","code":1}' }],
  [{}, { content: '' }],
  // Vercel's AI SDK writes the name of the function beside its words.
  [{ name: 'Read', content: 'x' }, { content: 'x' }],
  [
    { name: 'Read', error: 'x' },
    { content: 'x', is_error: true },
  ],
  [{ name: 'other', content: 'x' }, { content: '{"name":"other","content":"x"}' }],
  [{ name: 'Read' }, { content: '{"name":"Read"}' }],
  // An error that says nothing is none.
  [{ output: 'x', error: null }, { content: 'x' }],
  [{ output: 'x', error: '' }, { content: 'x' }],
  [
    { output: 'x', error: 'y' },
    { content: '{"output":"x","error":"y"}', is_error: true },
  ],
])('G46: a result of %j is told as %j', (response, told) => {
  const contents = [user({ text: 'Go.' }), model(callPart('Read')), user(resultPart('Read', response))]
  const { content } = turns(...contents)[2] ?? {}
  expect(content).toEqual([{ type: 'tool_result', tool_use_id: 'call_1_0', ...told }])
})

test('G47: pictures inside of a result stay inside of it', () => {
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]
  const result = { functionResponse: { name: 'Read', response: { output: 'see' }, parts } }
  expect(turns(user({ text: 'Go.' }), model(callPart('Read')), user(result))[2]?.content).toMatchObject([
    { content: [{ type: 'text', text: 'see' }, { type: 'image' }] },
  ])
})

test.each<[object, object]>([
  [{ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }, { type: 'document' }],
  [{ inlineData: { mimeType: 'text/plain', data: 'SGk=' } }, { type: 'text', text: 'Hi' }],
  [{ fileData: { fileUri: 'https://x.test/a.pdf' } }, { type: 'document', source: { type: 'url' } }],
  [
    { fileData: { fileUri: 'https://x.test/a.png', mimeType: 'image/png' } },
    { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
  ],
])('G48: data %j becomes %j', (part, block) => {
  expect(turns(user(part))[0]?.content).toMatchObject([block])
})

test('G49: what nobody else can read is words that say what was there, with a note', () => {
  const { request, notes } = decoded({
    contents: [
      user(
        { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
        { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/x' } },
      ),
    ],
  })
  expect(request.messages[0]?.content).toMatchObject([
    { text: expect.stringContaining('audio/wav') as string },
    { text: expect.stringContaining('files/x') as string },
  ])
  expect(notes).toEqual([
    'part_dropped contents[0].parts[0].inlineData',
    'file_dropped contents[0].parts[1].fileData',
  ])
})

test('G50: Google’s signatures keep their places, and stand-ins say nothing', () => {
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model(
      { text: 'Reading.', thoughtSignature: 'VEVYVA==' },
      callPart('Read', { thoughtSignature: 'Q0FMTA==' }, 'x'),
      callPart('Read', { thoughtSignature: 'skip_thought_signature_validator' }, 'y'),
    ),
  )
  expect(turn?.content).toMatchObject([
    { type: 'thinking', thinking: '', signature: sealTextSignature('VEVYVA==') },
    { type: 'text', text: 'Reading.' },
    { type: 'thinking', thinking: '', signature: sealCallSignature('Q0FMTA==', 'x') },
    { type: 'tool_use', id: 'x' },
    { type: 'tool_use', id: 'y' },
  ])
})

test('G51: thinking of other providers comes out of the signature in which it travelled', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'of-anthropic' } as const
  const redacted = { type: 'redacted_thinking', data: 'secret' } as const
  const thoughtSignature = packThinking({ first: [thinking], before: [redacted] })
  expect(thoughtSignature).toMatch(/^[A-Za-z0-9+/]+={0,2}$/)
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model(
      { text: 'H', thought: true },
      { text: 'm.', thought: true },
      { text: 'Reading.' },
      callPart('Read', { thoughtSignature }, 'x'),
    ),
  )
  expect(turn?.content).toMatchObject([thinking, { type: 'text', text: 'Reading.' }, redacted, { id: 'x' }])
})

test('G51: thinking comes out once where each piece is a content of its own, as Google’s SDK keeps a chat', () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: '' } as const
  const thoughtSignature = packThinking({ first: [thinking], before: [] })
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model({ text: 'H', thought: true }),
    model({ text: 'm.', thought: true }),
    model({ text: 'Reading.' }),
    model(callPart('Read', { thoughtSignature }, 'x')),
  )
  expect(turn?.content).toMatchObject([thinking, { type: 'text', text: 'Reading.' }, { id: 'x' }])
})

test('G51: what came out of one signature stays when the next one is opened', () => {
  const one = { type: 'thinking', thinking: 'First.', signature: '' } as const
  const other = { type: 'thinking', thinking: 'Then.', signature: '' } as const
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model(
      callPart('Read', { thoughtSignature: packThinking({ first: [one], before: [] }) }, 'x'),
      { text: 'Then.', thought: true },
      callPart('Read', { thoughtSignature: packThinking({ first: [], before: [other] }) }, 'y'),
    ),
  )
  expect(turn?.content).toMatchObject([one, { id: 'x' }, other, { id: 'y' }])
})

test('G52: thoughts without a proof are one thought, for upstreams that want it back', () => {
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model({ text: 'H', thought: true }, { text: 'm.', thought: true }, { text: 'Yes.' }),
  )
  expect(turn?.content).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: '' },
    { type: 'text', text: 'Yes.' },
  ])
})

test('G52: pieces of a thought are one thought also where each is a content of its own', () => {
  const [, turn] = turns(
    user({ text: 'Go.' }),
    model({ text: 'H', thought: true }),
    model({ text: 'm.', thought: true }),
    model({ text: 'Yes.' }),
  )
  expect(turn?.content).toEqual([
    { type: 'thinking', thinking: 'Hm.', signature: '' },
    { type: 'text', text: 'Yes.' },
  ])
})

test('G53: schemas of Google’s kind become JSON schemas, also those that only claim to be some', () => {
  const schema = {
    type: 'OBJECT',
    properties: {
      type: { type: 'STRING', nullable: true, enum: ['a'], format: 'enum' },
      list: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
      any_of: { anyOf: [{ type: 3 }] },
    },
    propertyOrdering: ['type'],
    required: ['type'],
  }
  const expected = {
    type: 'object',
    properties: {
      type: { type: ['string', 'null'], enum: ['a', null] },
      list: { type: 'array', items: { type: 'integer' }, minItems: 1 },
      any_of: { anyOf: [{ type: 'integer' }] },
    },
    required: ['type'],
  }
  for (const name of ['parameters', 'parametersJsonSchema']) {
    const { request } = decoded({ tools: [{ functionDeclarations: [{ name: 'Read', [name]: schema }] }] })
    expect(request.tools).toEqual([{ name: 'Read', input_schema: expected }])
  }
})

const READ_AND_BASH = [{ functionDeclarations: [{ name: 'Read' }, { name: 'Bash' }] }]

test.each<[object, object | undefined, readonly string[]]>([
  [{}, undefined, ['Read', 'Bash']],
  [{ mode: 'auto' }, { type: 'auto' }, ['Read', 'Bash']],
  [{ mode: 'NONE' }, { type: 'none' }, ['Read', 'Bash']],
  [{ mode: 'ANY', allowedFunctionNames: [] }, { type: 'any' }, ['Read', 'Bash']],
  [{ mode: 'ANY', allowedFunctionNames: ['Bash'] }, { type: 'tool', name: 'Bash' }, ['Read', 'Bash']],
  [{ mode: 'VALIDATED', allowedFunctionNames: ['Bash'] }, { type: 'auto' }, ['Bash']],
])('G54: the calling mode %j', (config, choice, names) => {
  const toolConfig = Object.keys(config).length === 0 ? undefined : { functionCallingConfig: config }
  const { request } = decoded({ tools: READ_AND_BASH, toolConfig })
  expect(request.tool_choice).toEqual(choice)
  expect(request.tools?.map((tool) => ('name' in tool ? tool.name : ''))).toEqual(names)
})

test('G55: Google’s search is everybody’s, optional beside functions, and tools that only Google has are noted', () => {
  const { request, notes } = decoded({ tools: [...READ_AND_BASH, { googleSearch: {} }, { googleMaps: {} }] })
  expect(request.tools?.at(-1)).toEqual({ type: 'web_search_20250305', name: 'web_search' })
  expect(request.extras?.optional_tools).toEqual(['web_search'])
  expect(notes).toEqual(['tool_dropped tools[2].googleMaps'])
  expect(decoded({ tools: [{ google_search: {} }] }).request.extras).toBeUndefined()
})

test.each<[object | undefined, object, boolean]>([
  [undefined, {}, false],
  [{ includeThoughts: true }, { thinking: { type: 'adaptive', display: 'summarized' } }, true],
  [{ thinkingBudget: 0 }, { thinking: { type: 'disabled' } }, false],
  [{ thinkingBudget: -1 }, { thinking: { type: 'adaptive', display: 'omitted' } }, false],
  [
    { thinkingBudget: 8192, includeThoughts: true },
    { thinking: { type: 'enabled', budget_tokens: 8192, display: 'summarized' } },
    true,
  ],
  [
    { thinkingLevel: 'HIGH', includeThoughts: true },
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } },
    true,
  ],
  [
    { thinkingLevel: 'low' },
    { thinking: { type: 'adaptive', display: 'omitted' }, output_config: { effort: 'low' } },
    false,
  ],
])('G56: the thinking config %j', (thinkingConfig, fields, shows) => {
  const { request, reply } = decoded({ generationConfig: { thinkingConfig } })
  const { thinking, output_config: config } = request
  expect({ ...(thinking && { thinking }), ...(config && { output_config: config }) }).toEqual(fields)
  expect(reply.showsThoughts).toBe(shows)
})

test('G57: structured answers are asked for in the hub’s words', () => {
  const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } }
  const json = { responseMimeType: 'application/json' }
  expect(
    decoded({ generationConfig: { ...json, responseSchema: schema } }).request.output_config?.format,
  ).toEqual({ type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'string' } } } })
  expect(decoded({ generationConfig: json }).request.extras).toEqual({ json_object: true })
  const words = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['yes', 'no'] } }
  const { request, notes } = decoded({ generationConfig: words })
  expect(JSON.stringify(request.system)).toContain('yes, no')
  expect(notes).toEqual(['schema_as_prompt generationConfig.responseMimeType'])
})

test('G57: the newer field for the form of an answer is read as well', () => {
  const schema = { type: 'OBJECT', properties: { a: { type: 'STRING' } } }
  const formats = [{ image: { aspectRatio: '1:1' } }, { text: { mimeType: 'APPLICATION_JSON', schema } }]
  const { request, notes } = decoded({ generationConfig: { responseFormat: formats } })
  expect(request.output_config?.format).toMatchObject({ schema: { properties: { a: { type: 'string' } } } })
  expect(notes).toEqual(['field_ignored generationConfig.responseFormat[0].image'])
  const json = { responseFormat: [{ text: { mimeType: 'application/json' } }] }
  expect(decoded({ generationConfig: json }).request.extras).toEqual({ json_object: true })
})

test('G58: what is no text in a system instruction leaves a note', () => {
  const parts = [{ text: 'Be brief.' }, { inlineData: { mimeType: 'image/png', data: 'aaaa' } }]
  const { request, notes } = decoded({ systemInstruction: { role: 'user', parts } })
  expect(request.system).toEqual([{ type: 'text', text: 'Be brief.' }])
  expect(notes).toEqual(['field_ignored systemInstruction.parts[1].inlineData'])
})

test('G53: a type that is not specified is none', () => {
  const properties = { a: { type: 'TYPE_UNSPECIFIED' }, b: { type: 0 } }
  const parameters = { type: 'OBJECT', properties }
  const { request } = decoded({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] })
  expect(request.tools).toMatchObject([{ input_schema: { properties: { a: {}, b: {} } } }])
  expect(JSON.stringify(request.tools)).not.toMatch(/unspecified|"type":""/)
})

test('G58: sampling and wishes are kept, and what has no place leaves a note', () => {
  const { request, notes } = decoded({
    generationConfig: {
      temperature: 0.5,
      topP: 0.95,
      topK: 64,
      seed: 7,
      presencePenalty: 0.5,
      logprobs: 3,
      responseModalities: ['TEXT', 'IMAGE'],
    },
    safetySettings: [],
    labels: { user_id: 'u' },
    futureField: 1,
  })
  expect(request).toMatchObject({
    temperature: 0.5,
    top_p: 0.95,
    top_k: 64,
    extras: { seed: 7, presence_penalty: 0.5 },
    metadata: { user_id: 'u' },
  })
  expect(notes).toEqual([
    'field_ignored generationConfig.responseModalities',
    'field_ignored generationConfig.logprobs',
    'field_ignored safetySettings',
    'field_ignored futureField',
  ])
})

test('G61: the sampling that Gemini CLI sends with everything is nobody’s wish', () => {
  const { request, notes } = decoded({ generationConfig: { temperature: 1, topP: 0.95, topK: 64 } })
  expect(Object.keys(request)).toEqual(['model', 'messages'])
  expect(notes).toEqual([])
})

test.each<[object, string]>([
  [{ contents: [] }, 'contents'],
  [{ contents: [user({ text: '' })] }, 'contents'],
  [{ contents: 'Hi' }, 'contents'],
  [{ contents: [user({ text: 7 })] }, 'contents[0].parts[0].text'],
  [{ contents: [{ role: 'king', parts: [] }] }, 'contents[0].role'],
  [{ contents: [model({ functionCall: { args: {} } })] }, 'contents[0].parts[0].functionCall.name'],
  [
    { contents: [model({ functionCall: { name: 'x', args: 'y' } })] },
    'contents[0].parts[0].functionCall.args',
  ],
  [{ tools: [{ functionDeclarations: [{}] }] }, 'tools[0].functionDeclarations[0].name'],
  [{ cachedContent: 'cachedContents/1' }, 'cachedContent'],
  [{ generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount'],
  [{ generationConfig: { temperature: 3 } }, 'generationConfig.temperature'],
  [{ generationConfig: { responseModalities: ['IMAGE'] } }, 'generationConfig.responseModalities'],
  [
    { generationConfig: { thinkingConfig: { thinkingLevel: 'MORE' } } },
    'generationConfig.thinkingConfig.thinkingLevel',
  ],
  [
    {
      tools: READ_AND_BASH,
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['X'] } },
    },
    'toolConfig.functionCallingConfig.allowedFunctionNames[0]',
  ],
])('G59: a fault is named by its path: %j', (fields, path) => {
  const fault = faultOf(fields)
  expect(fault.path).toBe(path)
  expect(fault.message).toMatch(/expected .*/)
})

function count(body: object): HubRequest {
  return decodeCount(plainCall(body, { params: { model: 'models/gemini-test' } })).request
}

test('G60: a prompt is counted alone or with all of its request', () => {
  expect(count(HELLO)).toMatchObject({ model: MODEL, messages: [{ role: 'user' }] })
  const whole = {
    generateContentRequest: { ...HELLO, systemInstruction: { parts: [{ text: 'Be brief.' }] } },
  }
  expect(count(whole).system).toEqual([{ type: 'text', text: 'Be brief.' }])
})

test('G55: a function takes its name from a tool of Google’s', () => {
  const tools = [{ googleSearch: {}, urlContext: {} }, { functionDeclarations: [{ name: 'web_search' }] }]
  const { request, notes } = decoded({ tools })
  expect(request.tools).toEqual([
    { name: 'web_search', input_schema: { type: 'object', properties: {} } },
    { type: 'web_fetch_20250910', name: 'web_fetch' },
  ])
  expect(request.extras).toMatchObject({ optional_tools: ['web_fetch'] })
  expect(notes).toEqual(['tool_dropped tools'])
})

test('G55: domains that a search leaves out are left out by other searches as well', () => {
  const { request, notes } = decoded({ tools: [{ googleSearch: { excludeDomains: ['a.example'] } }] })
  expect(request.tools).toMatchObject([{ name: 'web_search', blocked_domains: ['a.example'] }])
  expect(notes).toEqual([])
})
