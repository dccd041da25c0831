import { expect, test } from 'vitest'
import { HubError } from '../../src/hub/error.ts'
import type { Asked } from './client-reader.ts'
import { Exchange, PAIRS } from './pair.ts'

const PDF = 'https://example.com/a.pdf'

/** What clients ask that some upstreams cannot be asked, and the place that is to blame as the client wrote it. */
interface Refused {
  readonly path: string
  readonly asked: Asked
}

const BY_REFERENCE: Readonly<Record<string, Refused>> = {
  anthropic: {
    path: 'messages[0].content[0].source',
    asked: messages({ type: 'document', source: { type: 'url', url: PDF } }),
  },
  'openai-responses': {
    path: 'input[0].content[0].file_url',
    asked: input({ role: 'user', content: [{ type: 'input_file', file_url: PDF }] }),
  },
  gemini: {
    path: 'contents[0].parts[0].fileData.fileUri',
    asked: contents({ role: 'user', parts: [{ fileData: { fileUri: PDF, mimeType: 'application/pdf' } }] }),
  },
}

/** Of which nothing is left: empty words, and thoughts that no other model takes. */
const EMPTY: Readonly<Record<string, Refused>> = {
  anthropic: { path: 'messages', asked: messages({ type: 'text', text: '' }) },
  'openai-chat': { path: 'messages', asked: messages({ type: 'text', text: '' }) },
  'openai-responses': {
    path: 'input',
    asked: input({ type: 'reasoning', summary: [], encrypted_content: 'another' }),
  },
  gemini: {
    path: 'contents',
    asked: contents({ role: 'model', parts: [{ thought: true, text: 'Hm.', thoughtSignature: 'another' }] }),
  },
}

function messages(part: object): Asked {
  return { body: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: [part] }] } }
}

function input(item: object): Asked {
  return { body: { model: 'm', input: [item] } }
}

function contents(content: object): Asked {
  return {
    body: { contents: [content] },
    path: '/v1beta/models/m:generateContent',
    params: { model: 'm' },
  }
}

/** The refusal of what is asked; undefined if the upstream can be asked. */
function refusalOf(exchange: Exchange, asked: Asked): HubError | undefined {
  try {
    exchange.encode(asked)
    return undefined
  } catch (thrown) {
    if (thrown instanceof HubError) return thrown
    throw thrown
  }
}

for (const [what, cases] of Object.entries({
  'a document by its address': BY_REFERENCE,
  'nothing that is left': EMPTY,
})) {
  test(`who asks with ${what} is told the place in their own words`, () => {
    const refused = PAIRS.flatMap((pair) => {
      const one = cases[pair.clientName]
      const error = one && refusalOf(new Exchange(pair), one.asked)
      return error === undefined ? [] : [{ pair: pair.name, path: error.path, wanted: one?.path }]
    })
    expect(refused.length).toBeGreaterThan(3)
    for (const { path, wanted, pair } of refused) expect([pair, path]).toEqual([pair, wanted])
  })
}
