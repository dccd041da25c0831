import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anthropic, type HubRequest } from '@hydra/core'
import { Conversation } from '../src/conversation.ts'
import type { Layout } from '../src/layouts.ts'
import type { OpenAIExport } from '../src/openai-export.ts'
import { clientBody } from '../../core/test/requests/arbitraries.ts'

// Histories as clients really send them, however odd, through OpenAI's form and back.

const LAYOUTS: readonly Layout[] = ['merged', 'parts', 'grouped']

function decoded(body: unknown): HubRequest | undefined {
  try {
    return anthropic.client.decodeRequest({ body }).request
  } catch {
    return undefined
  }
}

test('any history comes back from an export in any layout, also through JSON', () => {
  fc.assert(
    fc.property(clientBody, fc.constantFrom(...LAYOUTS), (body, layout) => {
      const request = decoded(body)
      fc.pre(request !== undefined)
      const { system, messages } = request
      const conversation = new Conversation({ system, messages })
      const exported = JSON.parse(JSON.stringify(conversation.toOpenAI(layout))) as OpenAIExport
      const again = Conversation.fromOpenAI(exported)
      expect(JSON.stringify(again.messages)).toBe(JSON.stringify(messages))
      expect(again.system).toEqual(system)
      expect(again.notes.filter(({ code }) => code === 'kept_ignored')).toEqual([])
    }),
    { numRuns: 150 },
  )
})

const words = fc.string({ unit: 'grapheme', maxLength: 6 })
const parts = fc.array(
  fc.oneof(
    words.map((text) => ({ type: 'text', text })),
    fc.constantFrom(
      { type: 'image_url', image_url: { url: 'https://images.example/a.png' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      { type: 'file', file: { file_id: 'file_1' } },
      { type: 'input_audio', input_audio: { data: 'x', format: 'mp3' } },
    ),
  ),
  { maxLength: 3 },
)
const textParts = fc.array(
  words.map((text) => ({ type: 'text', text })),
  { maxLength: 3 },
)
const callOf = fc.record({
  id: words,
  type: fc.constant('function'),
  function: fc.record({ name: words, arguments: fc.oneof(words, fc.json()) }),
})
const chatMessage = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer'), content: fc.oneof(words, textParts) }),
  fc.record(
    { role: fc.constant('user'), content: fc.oneof(words, parts), name: words },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.record(
    {
      role: fc.constant('assistant'),
      content: fc.oneof(words, textParts, fc.constant(null)),
      tool_calls: fc.array(callOf, { maxLength: 3 }),
      refusal: fc.oneof(words, fc.constant(null)),
      reasoning_content: words,
    },
    { requiredKeys: ['role'] },
  ),
  fc.record({ role: fc.constant('tool'), tool_call_id: words, content: fc.oneof(words, textParts) }),
)

test('any messages in OpenAI’s form come back from an import, byte for byte', () => {
  fc.assert(
    fc.property(fc.array(chatMessage, { maxLength: 8 }), (messages) => {
      const conversation = Conversation.fromOpenAI({ messages: messages as never })
      const exported = conversation.toOpenAI()
      expect(JSON.stringify(exported.messages)).toBe(JSON.stringify(messages))
      const again = Conversation.fromOpenAI(JSON.parse(JSON.stringify(exported)) as OpenAIExport)
      expect(JSON.stringify(again.toOpenAI().messages)).toBe(JSON.stringify(messages))
      expect(JSON.stringify(again.messages)).toBe(JSON.stringify(conversation.messages))
    }),
    { numRuns: 300 },
  )
})
