import { expect, test } from 'vitest'
import { encode, noted, requestWith } from '../../../test/requests/encode.ts'
import type { Encoded, TestTarget } from '../../../test/requests/encode.ts'

const GENERIC = { profile: 'generic', model: 'some-model' } as const
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }

/** What becomes of a user turn with these blocks. */
function encodeBlocks(content: readonly object[], target: TestTarget = {}): Encoded {
  return encode(requestWith({ messages: [{ role: 'user', content }] }), target)
}

function contentOf(block: object, target: TestTarget = {}): unknown {
  return encodeBlocks([block], target).messages[0]?.content
}

function refusal(block: object): unknown {
  try {
    return encodeBlocks([block])
  } catch (error) {
    return error
  }
}

test('R17: an image by base64 is an image_url with its data', () => {
  const source = { type: 'base64', media_type: 'image/jpeg', data: '/9j/' }
  expect(contentOf({ type: 'image', source })).toEqual([
    { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
  ])
})

test('R17: an image by URL is an image_url', () => {
  const source = { type: 'url', url: 'https://a.example/b.png' }
  expect(contentOf({ type: 'image', source })).toEqual([
    { type: 'image_url', image_url: { url: source.url } },
  ])
})

test('R17: an image is a placeholder with a note where the profile takes none', () => {
  const source = { type: 'url', url: 'https://a.example/b.png' }
  const encoded = encodeBlocks([{ type: 'image', source }], { profile: 'deepseek' })
  expect(encoded.messages[0]?.content).toBe('[image left out: this model takes no images]')
  expect(noted(encoded)).toEqual(['image_dropped messages[0].content[0]'])
})

test('R17: a PDF is a file with its title as a name', () => {
  const file_data = 'data:application/pdf;base64,JVBERi0='
  expect(contentOf({ type: 'document', source: PDF, title: 'a.pdf' })).toEqual([
    { type: 'file', file: { filename: 'a.pdf', file_data } },
  ])
  expect(contentOf({ type: 'document', source: PDF, title: '' })).toEqual([
    { type: 'file', file: { filename: 'document.pdf', file_data } },
  ])
})

test('R17: the context of a PDF has no place and leaves a note', () => {
  const encoded = encodeBlocks([{ type: 'document', source: PDF, context: 'From the archive.' }])
  expect(noted(encoded)).toEqual(['document_context_dropped messages[0].content[0].context'])
})

test('R17: a PDF is a placeholder with a note where the profile takes none', () => {
  const encoded = encodeBlocks([{ type: 'document', source: PDF }], GENERIC)
  expect(encoded.messages[0]?.content).toBe('[document left out: this model takes no documents]')
  expect(noted(encoded)).toEqual(['document_dropped messages[0].content[0]'])
})

test.each([{}, GENERIC])('R17: a text document is text under its title and context (%j)', (target) => {
  const source = { type: 'text', media_type: 'text/plain', data: 'Words.' }
  expect(contentOf({ type: 'document', source, title: 'T', context: 'C' }, target)).toBe('T\nC\nWords.')
  expect(contentOf({ type: 'document', source }, target)).toBe('Words.')
})

test('R17: a document of parts is the text of its parts', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }
  const source = { type: 'content', content: [{ type: 'text', text: 'one' }, image] }
  const encoded = encodeBlocks([
    { type: 'document', source },
    { type: 'document', source: { type: 'content', content: 'two' } },
  ])
  expect(encoded.messages[0]?.content).toBe('one\n[image left out]\n\ntwo')
  expect(noted(encoded)).toEqual(['image_dropped messages[0].content[0].source.content'])
})

test('R17: a search result is its title, its source and its text', () => {
  const block = {
    type: 'search_result',
    title: 'T',
    source: 'https://a.example',
    content: [{ type: 'text', text: 'x' }],
  }
  expect(contentOf(block)).toBe('T\nhttps://a.example\nx')
})

test.each([
  [{ type: 'image', source: { type: 'file', file_id: 'file_1' } }, 'messages[0].content[0].source.file_id'],
  [{ type: 'document', source: { type: 'file', file_id: 'file_1' } }, 'messages[0].content[0].source'],
  [{ type: 'document', source: { type: 'url', url: 'https://a.example' } }, 'messages[0].content[0].source'],
])('R17: what only Anthropic can fetch is a clear 400: %j', (block, path) => {
  expect(refusal(block)).toMatchObject({ status: 400, kind: 'invalid_request_error', path })
})

test('R33: a block of a type that nobody knows is dropped with a note', () => {
  const encoded = encodeBlocks([{ type: 'text', text: 'Hi' }, { type: 'of_tomorrow' }])
  expect(encoded.messages).toEqual([{ role: 'user', content: 'Hi' }])
  expect(noted(encoded)).toEqual(['block_dropped messages[0].content[1]'])
})

test('R33: content of a result that nobody knows is told as JSON, with a note', () => {
  const messages = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Look', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'browser_state', url: 'x' }] }],
    },
  ]
  const encoded = encode(requestWith({ messages }))
  expect(encoded.messages[1]?.content).toBe('{"type":"browser_state","url":"x"}')
  expect(noted(encoded)).toEqual(['result_block_as_text messages[1].content[0].content[0]'])
})

test('R22: cache marks and citations are gone, and one note tells of all of them', () => {
  const cache_control = { type: 'ephemeral' }
  const encoded = encodeBlocks([
    { type: 'text', text: 'A', cache_control },
    { type: 'text', text: 'B', cache_control, citations: [{}] },
  ])
  expect(encoded.messages).toEqual([{ role: 'user', content: 'A\n\nB' }])
  expect(noted(encoded)).toEqual([
    'cache_control_dropped messages[0].content[0].cache_control',
    'citations_dropped messages[0].content[1].citations',
  ])
})

test.each([
  ['a text', { type: 'text', text: 'x\ud83d' }, 'messages[0].content[0].text'],
  [
    'a text document',
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x\ud83d' } },
    'messages[0].content[0]',
  ],
  [
    'a document of parts',
    { type: 'document', source: { type: 'content', content: 'x\ud83d' } },
    'messages[0].content[0]',
  ],
  [
    'a search result',
    { type: 'search_result', title: 'x', source: 'x\ud83d', content: [] },
    'messages[0].content[0]',
  ],
  ['a summary', { type: 'compaction', content: 'x\ud83d' }, 'messages[0].content[0].content'],
])('R34: half a character in %s is replaced, with a note', (_what, block, path) => {
  const encoded = encodeBlocks([block])
  expect(encoded.messages[0]?.content).toMatch(/x\ufffd$/)
  expect(noted(encoded)).toEqual([`surrogate_replaced ${path}`])
})

test('R34: half characters in the system prompt, a result and a tool are replaced, with notes', () => {
  const encoded = encode(
    requestWith({
      system: 'x\ud83d',
      tools: [
        {
          name: 'Read',
          description: 'x\ud83d',
          input_schema: { type: 'object', properties: { a: { type: 'string', description: 'x\udc00' } } },
        },
      ],
      messages: [
        { role: 'user', content: 'whole: 😀' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x\ud83d' }] },
      ],
    }),
  )
  expect(JSON.stringify(encoded.body)).not.toMatch(/\\ud[89a-f]/)
  expect(noted(encoded)).toEqual([
    'surrogate_replaced system[0]',
    'surrogate_replaced messages[2].content[0].content',
    'surrogate_replaced tools[0].input_schema',
    'surrogate_replaced tools[0].description',
  ])
})
