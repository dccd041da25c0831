import { expect, test } from 'vitest'
import { gemini } from '../../src/dialects/gemini/index.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import { sealCallSignature, sealPart, sealTextSignature } from '../../src/dialects/gemini/thinking.ts'
import { HubError } from '../../src/hub/error.ts'
import { sealEnvelope } from '../../src/identity/envelope.ts'
import type { HubBlock } from '../../src/hub/request.ts'
import { asText } from '../../src/sse/as-text.ts'
import { readGemini } from '../pairs/readers/read-gemini.ts'
import { message, MODEL, replyTo, streamed, whole } from './told.ts'

const TEXT = { type: 'text', text: 'Hello.', citations: null }
const CALL = { type: 'tool_use', id: 'call_1', name: 'Read', input: { path: '/a' } }
const thinking = (words: string, signature = ''): object => ({ type: 'thinking', thinking: words, signature })

/** All parts of a stream, and of the same answer sent whole. */
function partsOf(...content: readonly object[]): { streamed: readonly object[]; whole: readonly object[] } {
  const { answers } = readGemini(streamed(message(content)))
  return {
    streamed: answers.flatMap(({ candidates }) => candidates[0].content.parts),
    whole: whole(message(content)).candidates[0].content.parts,
  }
}

test('G70: a stream is lines of data that end in CRLF, each with role and parts, the last with the reason', () => {
  const output = streamed(message([TEXT]))
  expect(output.split('\r\n\r\n')).toHaveLength(3)
  expect(readGemini(output).answers).toEqual([
    {
      candidates: [{ content: { parts: [{ text: 'Hello.' }], role: 'model' }, index: 0 }],
      usageMetadata: { promptTokenCount: 16, totalTokenCount: 16 },
      modelVersion: MODEL,
      responseId: 'answer-1',
    },
    {
      candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 16,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 23,
      },
      modelVersion: MODEL,
      responseId: 'answer-1',
    },
  ])
})

test('G71: what some client takes for the end of a line is escaped', () => {
  const text = 'a\u2028b\u2029c\u0085d'
  const output = streamed(
    message([
      { ...TEXT, text },
      { ...CALL, input: { text } },
    ]),
  )
  expect(output).not.toMatch(/[\u2028\u2029\u0085]/)
  const parts = readGemini(output).answers.flatMap(({ candidates }) => candidates[0].content.parts)
  expect(parts).toMatchObject([{ text }, { functionCall: { args: { text } } }])
})

test('G72: calls, and what follows them, wait for the end: clients run a call although the stream fails', () => {
  const after = { ...TEXT, text: 'After.' }
  const { answers } = readGemini(streamed(message([TEXT, CALL, after, CALL], 'tool_use')))
  expect(answers).toHaveLength(2)
  expect(answers[1]?.candidates[0]).toMatchObject({
    finishReason: 'STOP',
    content: {
      parts: [
        { functionCall: { id: 'call_1', name: 'Read', args: { path: '/a' } } },
        { text: 'After.' },
        { functionCall: { id: 'call_1' } },
      ],
    },
  })
  const encoder = gemini.client.encodeStream(replyTo())
  encoder.messageStart({ id: 'answer-1', model: MODEL, usage: message([]).usage })
  encoder.blockStart({ type: 'tool_use', id: 'call_1', name: 'Read' })
  encoder.inputJson('{}')
  encoder.blockStop()
  encoder.error(new HubError('api_error', 'cut'))
  expect(encoder.take()).not.toContain('functionCall')
})

test('G73: an error is told twice, as older SDKs overlook it in an event, and nothing ends cleanly after it', () => {
  const encoder = gemini.client.encodeStream(replyTo())
  encoder.error(new HubError('overloaded_error', 'busy'))
  const error = '{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}'
  expect(encoder.take()).toBe(`data: ${error}\r\n\r\n${error}`)
})

test('G74: without alt=sse a stream is an array, and an error is its last element', () => {
  const reply = replyTo({ alt: 'json' })
  const answers = JSON.parse(streamed(message([TEXT, CALL]), reply)) as object[]
  expect(answers).toEqual(readGemini(streamed(message([TEXT, CALL]))).answers)
  const encoder = gemini.client.encodeStream(reply)
  encoder.error(new HubError('overloaded_error', 'busy'))
  expect(JSON.parse(asText(encoder.take()))).toMatchObject([{ error: { code: 503 } }])
})

test('G75: thoughts are shown to clients that ask for them, and to no others', () => {
  const content = [thinking('Hm.'), TEXT]
  expect(partsOf(...content)).toEqual({
    streamed: [{ text: 'Hm.', thought: true }, { text: 'Hello.' }, { text: '' }],
    whole: [{ text: 'Hm.', thought: true }, { text: 'Hello.' }],
  })
  const silent = { fields: {} }
  expect(streamed(message(content), replyTo(silent))).not.toContain('Hm.')
  expect(
    JSON.stringify(whole(message(content), replyTo({ ...silent, method: 'generateContent' }))),
  ).not.toContain('Hm.')
})

test('G76: Google’s own signatures come back on the parts that they belong to', () => {
  const part = { toolCall: { toolType: 'GOOGLE_SEARCH_WEB' }, thoughtSignature: 'dG9vbA==' }
  const content = [
    thinking('', sealPart(part)),
    thinking('', sealTextSignature('VEVYVA==')),
    TEXT,
    thinking('', sealCallSignature('Q0FMTA==', 'call_1')),
    CALL,
    thinking('', sealEnvelope({ by: 'gemini', proof: 'TEFTVA==' })),
  ]
  expect(whole(message(content)).candidates[0].content.parts).toEqual([
    part,
    { text: 'Hello.', thoughtSignature: 'VEVYVA==' },
    { functionCall: { id: 'call_1', name: 'Read', args: { path: '/a' } }, thoughtSignature: 'Q0FMTA==' },
    { text: '', thought: true, thoughtSignature: 'TEFTVA==' },
  ])
})

/** What the hub gets back of an answer that a client sends again. */
function replayed(parts: readonly object[]): readonly HubBlock[] {
  const contents = [
    { role: 'user', parts: [{ text: 'Go.' }] },
    { role: 'model', parts },
  ]
  const { request } = gemini.client.decodeRequest(plainCall({ contents }, { params: { model: MODEL } }))
  return (request.messages[1]?.content ?? []) as HubBlock[]
}

/** Gemini CLI drops thoughts, and joins texts without their signatures. */
function asGeminiCli(parts: readonly object[]): object[] {
  return parts
    .filter((part) => !('thought' in part))
    .map((part) => ('text' in part && part.text !== '' ? { text: part.text } : part))
}

const REDACTED = { type: 'redacted_thinking', data: 'secret' }

test.each<[string, readonly object[]]>([
  ['before a call', [thinking('Hm.', 'of-anthropic'), CALL]],
  ['before a text and a call', [thinking('Hm.', 'of-anthropic'), REDACTED, TEXT, CALL]],
  ['between a text and a call', [TEXT, thinking('Hm.', 'of-anthropic'), CALL]],
  ['between calls', [thinking('a', 's1'), CALL, thinking('b', 's2'), { ...CALL, id: 'call_2' }]],
  ['before a text alone', [thinking('Hm.', 'of-anthropic'), TEXT]],
  ['without a proof, before a call', [thinking('Hm.'), TEXT, CALL]],
  [
    'of another dialect',
    [thinking('Hm.', sealEnvelope({ by: 'openai-responses', proof: 'gAAA', id: 'rs_1' })), CALL],
  ],
])('G77: thinking %s survives Gemini CLI and the SDK, in plain base64', (_place, content) => {
  const plain = content.map((block) => {
    const { citations: _, ...rest } = block as { citations?: unknown }
    return rest
  })
  const { streamed: chunks, whole: parts } = partsOf(...content)
  for (const way of [chunks, parts]) {
    expect(replayed(way)).toEqual(plain)
    expect(replayed(asGeminiCli(way))).toEqual(plain)
    for (const { thoughtSignature } of way as readonly { thoughtSignature?: string }[])
      expect(thoughtSignature ?? '').toMatch(
        /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      )
  }
})

test('G78: a refusal says why beside its reason', () => {
  const details = { type: 'refusal', category: null, explanation: 'Not that.' } as never
  const refused = message([], 'refusal', details)
  const candidate = { finishReason: 'SAFETY', finishMessage: 'Not that.', content: { parts: [{ text: '' }] } }
  expect(whole(refused).candidates[0]).toMatchObject(candidate)
  expect(readGemini(streamed(refused)).answers[0]?.candidates[0]).toMatchObject(candidate)
})

test('G79: what an answer was found with is told as grounding, with offsets in bytes', () => {
  const fields = { tools: [{ googleSearch: {} }] }
  const url = 'https://example.com'
  const found = message([
    { ...TEXT, text: 'Ä: ' },
    { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'weather' } },
    {
      type: 'web_search_tool_result',
      tool_use_id: 's1',
      content: [{ type: 'web_search_result', url, title: 'Example', encrypted_content: 'x', page_age: null }],
    },
    {
      type: 'text',
      text: 'It rains.',
      citations: [
        { type: 'web_search_result_location', url, title: 'Example', cited_text: 'x', encrypted_index: 'y' },
      ],
    },
  ])
  const grounding = {
    webSearchQueries: ['weather'],
    groundingChunks: [{ web: { uri: url, title: 'Example' } }],
    groundingSupports: [
      { segment: { startIndex: 4, endIndex: 13, text: 'It rains.' }, groundingChunkIndices: [0] },
    ],
  }
  const { answers } = readGemini(streamed(found, replyTo({ fields })))
  expect(answers.at(-1)?.candidates[0]).toMatchObject({ groundingMetadata: grounding })
  const sent = whole(found, replyTo({ fields, method: 'generateContent' }))
  expect(sent.candidates[0]).toMatchObject({ groundingMetadata: grounding })
})

test('G80: what has no place in an answer leaves a note', () => {
  const reply = replyTo()
  streamed(message([{ type: 'server_tool_use', id: 's', name: 'code_execution', input: {} }, TEXT]), reply)
  expect(reply.answerNotes.list).toMatchObject([{ code: 'answer_part_left_out', path: 'server_tool_use' }])
})
