import { expect, test } from 'vitest'
import { assistant, call, conversation, encodeTurns, result, user } from '../../../test/amazon-q/encode.ts'
import { noted } from '../../../test/requests/encode.ts'
import { amazonQ } from './index.ts'

const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
const QPNG = { format: 'png', source: { bytes: 'iVBORw0KGgo=' } }
const READ = { name: 'Read', description: 'Reads.', input_schema: { type: 'object', properties: {} } }

test('the body is one conversation state with the model on the current message', () => {
  expect(encodeTurns(conversation([user('Hi.')])).body).toEqual({
    conversationState: {
      history: [],
      currentMessage: { userInputMessage: { content: 'Hi.', modelId: 'q-model' } },
      chatTriggerType: 'MANUAL',
    },
  })
})

test('each request has a fresh conversation id', () => {
  let count = 0
  const newId = (): string => `id-${(count += 1)}`
  const body = conversation([user('Hi.')])
  expect(encodeTurns(body, newId).state.conversationId).toBe('id-1')
  expect(encodeTurns(body, newId).state.conversationId).toBe('id-2')
  expect(encodeTurns(body).state).not.toHaveProperty('conversationId')
})

test('tools stand on the current message only, beside its results', () => {
  const messages = [user('Look.'), assistant(call('a')), user(result('a', 'A'))]
  const { current, history } = encodeTurns(conversation(messages, { tools: [READ] }))
  expect(current.userInputMessageContext).toEqual({
    toolResults: [{ toolUseId: 'a', content: [{ text: 'A' }], status: 'success' }],
    tools: [
      {
        toolSpecification: {
          name: 'Read',
          description: 'Reads.',
          inputSchema: { json: { type: 'object', properties: {} } },
        },
      },
    ],
  })
  expect(JSON.stringify(history)).not.toContain('toolSpecification')
})

test('a tool without a description gets its name for one, and a note', () => {
  const { description: _description, ...bare } = READ
  const encoded = encodeTurns(conversation([user('Hi.')], { tools: [bare] }))
  expect(encoded.current.userInputMessageContext?.tools?.[0]?.toolSpecification.description).toBe('Read')
  expect(noted(encoded)).toContain('description_invented tools[0].description')
})

test('names that the format does not take are shortened, and come back', () => {
  const name = `mcp__${'long-name_'.repeat(9)}`
  const encoded = encodeTurns(conversation([user('Hi.')], { tools: [{ ...READ, name }] }))
  const sent = String(encoded.current.userInputMessageContext?.tools?.[0]?.toolSpecification.name)
  expect(sent).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(encoded.reply.names.toClient(sent)).toBe(name)
  expect(noted(encoded)).toContain('tool_name_changed tools[0].name')
})

test('where no tool may be called, none is offered', () => {
  const encoded = encodeTurns(conversation([user('Hi.')], { tools: [READ], tool_choice: { type: 'none' } }))
  expect(encoded.current.userInputMessageContext).toBeUndefined()
  expect(noted(encoded)).toContain('tools_withheld tool_choice')
})

test('a choice that the format cannot express is dropped with a note', () => {
  const choice = { type: 'any', disable_parallel_tool_use: true }
  const notes = noted(encodeTurns(conversation([user('Hi.')], { tools: [READ], tool_choice: choice })))
  expect(notes).toContain('tool_choice_dropped tool_choice')
  expect(notes).toContain('parallel_calls_allowed tool_choice.disable_parallel_tool_use')
})

test("Anthropic's client tools are spelled out", () => {
  const encoded = encodeTurns(
    conversation([user('Hi.')], { tools: [{ type: 'bash_20250124', name: 'bash' }] }),
  )
  expect(encoded.current.userInputMessageContext?.tools?.[0]).toMatchObject({
    toolSpecification: { name: 'bash', inputSchema: { json: { properties: { command: {} } } } },
  })
  expect(noted(encoded)).toContain('tool_spelled_out tools[0]')
})

test('a tool that only Anthropic runs is refused', () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  expect(() => encodeTurns(conversation([user('Hi.')], { tools }))).toThrow(
    /^tools\[0\]\.type: the tool type/,
  )
})

test('tools that system messages add and remove are offered as they stand at the end', () => {
  const removed = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'Read' } }
  const added = {
    type: 'tool_addition',
    tool: { type: 'tool_definition', definition: { ...READ, name: 'Bash' } },
  }
  const system = { role: 'system', content: [removed, added] }
  const { current } = encodeTurns(conversation([user('Hi.'), system, user('Well?')], { tools: [READ] }))
  const offered = current.userInputMessageContext?.tools?.map(({ toolSpecification: { name } }) => name)
  expect(offered).toEqual(['Bash'])
})

test('pictures go along with their message, those of results with the message around them', () => {
  const messages = [user('Look.', PNG), assistant(call('a')), user(result('a', [PNG]))]
  const encoded = encodeTurns(conversation(messages))
  expect(encoded.history[0]).toEqual({ userInputMessage: { content: 'Look.', images: [QPNG] } })
  expect(encoded.current).toMatchObject({
    images: [QPNG],
    userInputMessageContext: {
      toolResults: [{ content: [{ text: '[1 image(s), among the images of this message]' }] }],
    },
  })
  expect(noted(encoded)).toContain('result_media_moved messages[2].content[0]')
})

test.each([
  [
    'a picture by its address',
    { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
    'image',
  ],
  [
    'a document',
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
    'document',
  ],
])('%s is left out, and both the model and a note say so', (_name, block, kind) => {
  const encoded = encodeTurns(conversation([user(block)]))
  expect(encoded.current.content).toMatch(new RegExp(`^\\[${kind} left out: `))
  expect(noted(encoded)).toContain(`${kind}_dropped messages[0].content[0]`)
})

test('fields without an equivalent are left out with a note each', () => {
  const fields = { temperature: 0.5, thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }
  const encoded = encodeTurns(conversation([user('Hi.')], fields))
  expect(noted(encoded)).toEqual([
    'field_ignored max_tokens',
    'field_ignored temperature',
    'field_ignored thinking',
    'field_ignored output_config.effort',
  ])
})

test('a schema for the answer stands in the system prompt', () => {
  const format = { type: 'json_schema', schema: { type: 'object' } }
  const encoded = encodeTurns(conversation([user('Hi.')], { output_config: { format } }))
  expect(encoded.current.content).toContain(
    'fits this JSON schema, and with nothing else:\n{"type":"object"}',
  )
  expect(noted(encoded)).toContain('schema_as_prompt output_config.format')
})

test('stop sequences are matched in the answer', () => {
  const encoded = encodeTurns(conversation([user('Hi.')], { stop_sequences: ['END', ''] }))
  expect(encoded.reply.ownStopSequences).toEqual(['END'])
  expect(noted(encoded)).toContain('stop_matched_here stop_sequences')
})

test('half a character is replaced, in texts and in the input of a call', () => {
  const messages = [
    user('Hi \ud83d'),
    assistant(call('a', 'Read', { path: 'x\udc00' })),
    user(result('a', 'A')),
  ]
  const encoded = encodeTurns(conversation(messages))
  expect(JSON.stringify(encoded.body)).not.toMatch(/\\ud/)
  expect(noted(encoded)).toEqual(
    expect.arrayContaining([
      'surrogate_replaced messages[0].content[0].text',
      'surrogate_replaced messages[1].content[0].input',
    ]),
  )
})

test.each(['mcp_servers', 'container', 'thread'])('a request with %s is refused', (field) => {
  const value = field === 'mcp_servers' ? [{ type: 'url', url: 'https://x.test', name: 'x' }] : 'x'
  expect(() => encodeTurns(conversation([user('Hi.')], { [field]: value }))).toThrow(`${field}: `)
})

test('the outline shows the history and the current message', () => {
  const messages = [user('Look.', PNG), assistant('Yes.', call('a')), user(result('a', 'A'))]
  expect(amazonQ.upstream.outline(encodeTurns(conversation(messages)).body)).toEqual([
    {
      index: 0,
      path: 'conversationState.history[0].userInputMessage',
      role: 'user',
      blocks: { text: 1, image: 1 },
      calls: 0,
      results: 0,
    },
    {
      index: 1,
      path: 'conversationState.history[1].assistantResponseMessage',
      role: 'assistant',
      blocks: { text: 1 },
      calls: 1,
      results: 0,
    },
    {
      index: 2,
      path: 'conversationState.currentMessage.userInputMessage',
      role: 'user',
      blocks: {},
      calls: 0,
      results: 1,
    },
  ])
})
