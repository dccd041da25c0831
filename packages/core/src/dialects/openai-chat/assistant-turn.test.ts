import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { Encoded, TestTarget } from '../../../test/requests/encode.ts'
import { GEMINI as MAKER, sealEnvelope } from '../../identity/envelope.ts'
import { chatProfiles } from '../../providers/chat-profiles.ts'

const CALL = { type: 'tool_use', id: 't1', name: 'Read', input: { path: '/a' } }
const THINKING = { type: 'thinking', thinking: 'I wonder.', signature: 'c2ln' }
const REDACTED = { type: 'redacted_thinking', data: 'ZGF0YQ==' }
const DEEPSEEK = { profile: 'deepseek', model: 'deepseek-reasoner' } as const
const GEMINI = { profile: 'gemini', model: 'gemini-2.5-pro' } as const

/** What becomes of an assistant turn with these blocks. */
function encodeTurn(content: unknown, target: TestTarget = {}): Encoded {
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content },
    { role: 'user', content: 'Go on.' },
  ]
  return encode(requestWith({ messages }), target)
}

function turnOf(content: unknown, target: TestTarget = {}): unknown {
  return encodeTurn(content, target).messages.find(({ role }) => role === 'assistant')
}

test('R6: text, calls and text are one message: the texts joined, then the calls', () => {
  const content = [{ type: 'text', text: 'First.' }, CALL, { type: 'text', text: 'Then.' }]
  expect(turnOf(content)).toEqual({
    role: 'assistant',
    content: 'First.\n\nThen.',
    tool_calls: [{ id: 't1', type: 'function', function: { name: 'Read', arguments: '{"path":"/a"}' } }],
  })
})

test('R6: neighbouring texts are one sentence cut by citations', () => {
  const content = [
    { type: 'text', text: 'The sky' },
    { type: 'text', text: ' is blue', citations: [{}] },
    { type: 'text', text: '.' },
  ]
  expect(turnOf(content)).toEqual({ role: 'assistant', content: 'The sky is blue.' })
  expect(noted(encodeTurn(content))).toEqual(['citations_dropped messages[1].content[1].citations'])
})

test('R6: texts around a call stand apart, also when an empty one is between', () => {
  const content = [{ type: 'text', text: 'A' }, CALL, { type: 'text', text: '' }, { type: 'text', text: 'B' }]
  expect(turnOf(content)).toMatchObject({ content: 'A\n\nB' })
})

test('R6: a summary and what a server’s tool did stand apart from the text', () => {
  const content = [
    { type: 'compaction', content: 'They met.' },
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
    { type: 'text', text: 'Found.' },
  ]
  expect(turnOf(content)).toEqual({
    role: 'assistant',
    content:
      '[Summary of the conversation so far]\nThey met.\n\n[server_tool_use] {"id":"s1","name":"web_search","input":{}}\n\nFound.',
  })
})

test('R6: a plain string is the content', () => {
  expect(turnOf('Hello')).toEqual({ role: 'assistant', content: 'Hello' })
})

test('R7: a turn with calls only has the content null, or an empty one where the profile wants it', () => {
  expect(turnOf([CALL])).toMatchObject({ content: null })
  expect(turnOf([CALL], { profile: 'qwen' })).toMatchObject({ content: '' })
})

test('R14: thinking in history never becomes visible text', () => {
  for (const profile of Object.values(chatProfiles)) {
    const said = encodeTurn([THINKING, { type: 'text', text: 'Hello' }, REDACTED], { profile })
    const visible = said.messages.map(({ content }) => JSON.stringify(content)).join()
    expect(visible, profile.name).not.toContain('wonder')
    expect(JSON.stringify(said.messages), profile.name).not.toContain('ZGF0YQ==')
  }
})

test('R14: thinking is dropped with a note where the profile does not replay it', () => {
  const encoded = encodeTurn([THINKING, { type: 'text', text: 'Hello' }], { profile: 'groq' })
  expect(encoded.messages[1]).toEqual({ role: 'assistant', content: 'Hello' })
  expect(noted(encoded)).toContain('thinking_dropped messages[1].content[0]')
})

test('R14: thinking is replayed in the field that the profile names', () => {
  const content = [THINKING, { type: 'text', text: 'Hello' }]
  expect(turnOf(content, DEEPSEEK)).toMatchObject({ content: 'Hello', reasoning_content: 'I wonder.' })
  expect(turnOf(content, { profile: 'openrouter' })).toMatchObject({ reasoning: 'I wonder.' })
  expect(noted(encodeTurn(content, DEEPSEEK))).toEqual([])
})

test('R14: DeepSeek gets the field on every turn with tools, even without thinking', () => {
  expect(turnOf([CALL], DEEPSEEK)).toMatchObject({ reasoning_content: '' })
  expect(turnOf('Hello', DEEPSEEK)).not.toHaveProperty('reasoning_content')
})

test("R14: Anthropic's signed thinking goes back whole to its models at OpenRouter, and to no others", () => {
  const claude = { profile: 'openrouter', model: 'anthropic/claude-haiku-4.5' } as const
  const foreign = { ...THINKING, signature: sealEnvelope({ by: 'openai-responses', proof: 'x' }) }
  const turn = turnOf([THINKING, foreign, CALL], claude)
  expect(turn).toMatchObject({
    reasoning: 'I wonder.',
    reasoning_details: [
      {
        type: 'reasoning.text',
        text: 'I wonder.',
        signature: 'c2ln',
        format: 'anthropic-claude-v1',
        index: 0,
      },
    ],
  })
  expect(turnOf([THINKING, CALL], claude)).not.toHaveProperty('reasoning')
  const kimi = turnOf([THINKING, CALL], { profile: 'openrouter', model: 'moonshotai/kimi-k2' })
  expect(kimi).toMatchObject({ reasoning: 'I wonder.' })
  expect(kimi).not.toHaveProperty('reasoning_details')
})

test('R14: redacted thinking is dropped with a note everywhere', () => {
  expect(noted(encodeTurn([REDACTED, CALL], DEEPSEEK))).toContain('thinking_dropped messages[1].content[0]')
})

test.each([{}, DEEPSEEK])('R15: a turn of thinking only is skipped, with a note (%j)', (target) => {
  const encoded = encodeTurn([THINKING], target)
  expect(encoded.messages.map(({ role }) => role)).toEqual(['user', 'user'])
  expect(noted(encoded).join()).toContain('thinking_dropped messages[1]')
})

test.each([undefined, null])('R16: a call whose input is %j has the arguments {}', (input) => {
  const content = [{ type: 'tool_use', id: 't1', name: 'Read', input }]
  expect(turnOf(content)).toMatchObject({ tool_calls: [{ function: { arguments: '{}' } }] })
})

const SIGNED = [
  { type: 'thinking', thinking: '', signature: sealEnvelope({ by: MAKER, proof: 'sig', callId: 't1' }) },
]

test('C20: a thought signature goes back with its call where the profile wants it', () => {
  const other = { ...CALL, id: 't2' }
  const encoded = encodeTurn([...SIGNED, CALL, other], GEMINI)
  const [, turn] = encoded.messages
  expect(turn).toMatchObject({
    tool_calls: [{ extra_content: { google: { thought_signature: 'sig' } } }, {}],
  })
  expect(JSON.stringify(turn).match(/extra_content/g)).toHaveLength(1)
  expect(noted(encoded).join()).not.toContain('thinking_dropped')
})

test('C20: a thought signature is dropped with a note where nobody knows it', () => {
  const encoded = encodeTurn([...SIGNED, CALL])
  expect(JSON.stringify(encoded.body)).not.toContain('sig')
  expect(noted(encoded)).toContain('thinking_dropped messages[1].content[0]')
})

test('C20: thinking beside a signature is dropped with a note too', () => {
  const encoded = encodeTurn([{ ...SIGNED[0], thinking: 'Hm.' }, CALL], GEMINI)
  expect(noted(encoded)).toContain('thinking_dropped messages[1].content[0]')
})

test('an image in an assistant turn is dropped with a note', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }
  const encoded = encodeTurn([{ type: 'text', text: 'Hello' }, image])
  expect(encoded.messages[1]).toEqual({ role: 'assistant', content: 'Hello' })
  expect(noted(encoded)).toEqual(['assistant_media_dropped messages[1].content[1]'])
})

test('R34: half characters in text, thinking and arguments are replaced, with notes', () => {
  const half = '\ud83d'
  const content = [
    { type: 'thinking', thinking: half, signature: '' },
    { type: 'text', text: half },
    { ...CALL, input: { [half]: half, kept: '\\ud83d 😀' } },
  ]
  const encoded = encodeTurn(content, DEEPSEEK)
  const [, turn] = encoded.messages
  expect(turn).toMatchObject({ content: '\ufffd', reasoning_content: '\ufffd' })
  const call = turn?.role === 'assistant' ? turn.tool_calls?.[0] : undefined
  const text = call?.type === 'function' ? call.function.arguments : ''
  expect(JSON.parse(text)).toEqual({ '\ufffd': '\ufffd', kept: '\\ud83d 😀' })
  expect(noted(encoded)).toEqual([
    'result_invented messages[1].content[2]',
    'surrogate_replaced messages[1].content[0].thinking',
    'surrogate_replaced messages[1].content[1].text',
    'surrogate_replaced messages[1].content[2].input',
  ])
})
