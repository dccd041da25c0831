import { expect, test } from 'vitest'
import { Notes } from '../../hub/note.ts'
import type { HubMessage } from '../../hub/request.ts'
import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { decodeMessages } from './decode-messages.ts'

function decoded(...messages: readonly object[]): { turns: HubMessage[]; notes: string[] } {
  const notes = new Notes()
  const turns = decodeMessages(messages as never, { first: 2, notes })
  return { turns, notes: notes.list.map(({ code, path }) => `${code} ${path}`) }
}

function readCall(id: string, json?: string): object {
  return { id, type: 'function', function: { name: 'Read', arguments: json } }
}

test('K8: a turn says its text and makes its calls', () => {
  const { turns, notes } = decoded(
    {
      role: 'assistant',
      content: 'Let me look.',
      tool_calls: [readCall('a', '{"path":"x"}'), readCall('b')],
    },
    { role: 'assistant', content: '', tool_calls: [readCall('c', '')] },
    { role: 'assistant', content: null, tool_calls: [readCall('d', 'no JSON')] },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  )
  expect(turns.map(({ content }) => content)).toEqual([
    [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'a', name: 'Read', input: { path: 'x' } },
      { type: 'tool_use', id: 'b', name: 'Read', input: {} },
    ],
    [{ type: 'tool_use', id: 'c', name: 'Read', input: {} }],
    [{ type: 'tool_use', id: 'd', name: 'Read', input: { __unparsedToolInput: { raw: 'no JSON', len: 7 } } }],
    [{ type: 'text', text: 'Done.' }],
  ])
  expect(notes).toEqual([])
})

test('K9: results are one turn of the user, and what the user says behind them belongs to it', () => {
  const { turns } = decoded(
    { role: 'assistant', tool_calls: [readCall('a'), readCall('b')] },
    { role: 'tool', tool_call_id: 'b', content: 'B' },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A' }] },
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: 'Well.' },
    { role: 'user', content: 'Yes?' },
  )
  expect(turns.slice(1)).toEqual([
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', content: 'B' },
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'A' }] },
        { type: 'text', text: 'Go on.' },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Well.' }] },
    { role: 'user', content: 'Yes?' },
  ])
})

test.each([{ content: null }, {}])('K9: a result without content is an empty one: %j', (fields) => {
  const { turns, notes } = decoded(
    { role: 'assistant', tool_calls: [readCall('a')] },
    { role: 'tool', tool_call_id: 'a', ...fields },
  )
  expect(turns.at(-1)?.content).toEqual([{ type: 'tool_result', tool_use_id: 'a', content: '' }])
  expect(notes).toEqual([])
})

test("K8: Mistral's parts of thinking are thinking, and parts that nobody knows leave words and a note", () => {
  const { turns, notes } = decoded({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'So.' },
      { type: 'hologram', hologram: {} },
    ],
  })
  expect(turns[0]?.content).toEqual([
    { type: 'thinking', thinking: 'Hm', signature: '' },
    { type: 'text', text: 'So.' },
    { type: 'text', text: '[hologram left out]' },
  ])
  expect(notes).toEqual(['part_left_out messages[2].content[2]'])
})

test('K2: a part of a later system message that is no text leaves words and a note', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.test' } }
  const { turns, notes } = decoded({ role: 'user', content: 'Hi.' }, { role: 'system', content: [image] })
  expect(turns[1]).toEqual({ role: 'system', content: [{ type: 'text', text: '[image_url left out]' }] })
  expect(notes).toEqual(['part_left_out messages[3].content[0]'])
})

test("K32: Gemini's signature of a call that the client sends back stands before it", () => {
  const signed = { ...readCall('a'), extra_content: { google: { thought_signature: 'sig' } } }
  const { turns } = decoded({ role: 'assistant', tool_calls: [signed, readCall('b')] })
  expect(turns[0]?.content).toEqual([
    { type: 'thinking', thinking: '', signature: sealEnvelope({ by: GEMINI, proof: 'sig', callId: 'a' }) },
    { type: 'tool_use', id: 'a', name: 'Read', input: {} },
    { type: 'tool_use', id: 'b', name: 'Read', input: {} },
  ])
})

test('K10: a legacy call and its result get an id that never changes', () => {
  const { turns, notes } = decoded(
    { role: 'assistant', content: null, function_call: { name: 'Read', arguments: '{"a":1}' } },
    { role: 'function', name: 'Read', content: 'A' },
    { role: 'function', name: 'Read', content: 'again' },
  )
  expect(turns).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_legacy_2', name: 'Read', input: { a: 1 } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_legacy_2', content: 'A' }] },
    { role: 'user', content: 'again' },
  ])
  expect(notes).toEqual(['function_result_as_text messages[4]'])
})

const TEXT_FILE = `data:text/plain;base64,${btoa('Hello.')}`

test.each<[string, object, object]>([
  ['K4: text', { type: 'text', text: 'Hi.' }, { type: 'text', text: 'Hi.' }],
  [
    'K5: an image as data',
    { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'auto' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
  ],
  [
    'K5: an image under a customary wrong name',
    { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
  ],
  [
    'K5: an image by its address',
    { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
    { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
  ],
  [
    'K5: an image by nothing but its address',
    { type: 'image_url', image_url: 'https://a.test/b.png' },
    { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
  ],
  [
    'K6: a PDF',
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' },
      title: 'a.pdf',
    },
  ],
  [
    'K6: a text file',
    { type: 'file', file: { filename: 'a.txt', file_data: TEXT_FILE } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hello.' }, title: 'a.txt' },
  ],
  [
    'K6: an image as a file',
    { type: 'file', file: { file_data: 'data:image/gif;base64,AAAA' } },
    { type: 'image', source: { type: 'base64', media_type: 'image/gif', data: 'AAAA' } },
  ],
  [
    'K13: a mark of Anthropic',
    { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
    { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  [
    'K13: a breakpoint of OpenAI',
    { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
    { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
  ],
])('%s is a part of a user message', (_name, part, block) => {
  const { turns, notes } = decoded({ role: 'user', content: [part, { type: 'text', text: '' }] })
  expect(turns).toEqual([{ role: 'user', content: [block] }])
  expect(notes).toEqual([])
})

test.each<[string, object, string, string]>([
  [
    'K5: the detail of an image',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test', detail: 'high' } }] },
    'image_detail_dropped messages[2].content[0].image_url.detail',
    'https://a.test',
  ],
  [
    'K5: an image that nobody takes',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/bmp;base64,AAAA' } }] },
    'part_left_out messages[2].content[0]',
    '[image_url left out]',
  ],
  [
    'K7: audio',
    { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
    'part_left_out messages[2].content[0]',
    '[input_audio left out]',
  ],
  [
    'K11: a custom call',
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'grep', input: 'x' } }] },
    'custom_call messages[2]',
    '"input":{"input":"x"}',
  ],
  ['K12: a refusal', { role: 'assistant', refusal: 'No.' }, 'refusal_as_text messages[2]', 'No.'],
  [
    'K12: audio of the model',
    { role: 'assistant', audio: { id: 'a' } },
    'audio_left_out messages[2].audio',
    '[audio',
  ],
  ['K12: a name', { role: 'user', content: 'Hi', name: 'ada' }, 'field_not_in_hub messages[2].name', 'Hi'],
])('%s leaves a note', (_name, message, note, words) => {
  const { turns, notes } = decoded(message)
  expect(notes).toContain(note)
  expect(JSON.stringify(turns)).toContain(words)
})
