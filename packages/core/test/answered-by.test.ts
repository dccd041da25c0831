import { expect, test } from 'vitest'
import type { UpstreamDialect } from '../src/dialects/dialect.ts'
import { anthropic } from '../src/dialects/anthropic/index.ts'
import { gemini } from '../src/dialects/gemini/index.ts'
import { openaiChat } from '../src/dialects/openai-chat/index.ts'
import { openaiResponses } from '../src/dialects/openai-responses/index.ts'
import { collectAnswer } from '../src/stream/translate.ts'
import { replyFor, toBytes } from './streams/translator.ts'

const MODEL = 'real-model-2026-11-01'
const ID = 'answer-1'

const MESSAGE = { type: 'message', role: 'assistant', model: MODEL, id: ID, content: [], usage: {} }
const RESPONSE = { object: 'response', model: MODEL, id: ID, status: 'completed', output: [] }
const CHUNK = {
  model: MODEL,
  id: ID,
  choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }],
}
const CANDIDATE = { content: { role: 'model', parts: [{ text: 'a' }] }, finishReason: 'STOP' }
const PART = { modelVersion: MODEL, responseId: ID, candidates: [CANDIDATE] }

/** The first event of a stream, and a whole answer, of each dialect in which an upstream says who answers. */
const ANSWERS: readonly (readonly [string, UpstreamDialect, object, object])[] = [
  ['Messages', anthropic.upstream, { type: 'message_start', message: MESSAGE }, MESSAGE],
  ['Chat', openaiChat.upstream, CHUNK, { ...CHUNK, choices: [{ message: { content: 'a' } }] }],
  ['Responses', openaiResponses.upstream, { type: 'response.created', response: RESPONSE }, RESPONSE],
  ['Gemini', gemini.upstream, PART, PART],
]

function collectorOf(upstream: UpstreamDialect, hide?: (words: string) => string) {
  return collectAnswer({ upstream, reply: replyFor(), messageId: 'msg_1', hide })
}

test.each(ANSWERS)(
  'an upstream of %s says who answers, streamed and whole',
  (_name, upstream, event, whole) => {
    const streamed = collectorOf(upstream)
    expect(streamed.summary.answeredBy).toBeUndefined()
    streamed.push(toBytes(`data: ${JSON.stringify(event)}\n\n`))
    expect(streamed.summary.answeredBy).toEqual({ model: MODEL, id: ID })
    const collected = collectorOf(upstream)
    collected.push(toBytes(JSON.stringify(whole)))
    collected.end()
    expect(collected.summary.answeredBy).toEqual({ model: MODEL, id: ID })
  },
)

test('what an upstream said first counts, and no secret is in it', () => {
  const collector = collectorOf(openaiChat.upstream, (words) => words.replaceAll('sk-secret', '…'))
  for (const model of ['', 'm'.repeat(300), 'sk-secret-model', 'another']) {
    collector.push(toBytes(`data: ${JSON.stringify({ ...CHUNK, model, id: 7 })}\n\n`))
  }
  expect(collector.summary.answeredBy).toEqual({ model: '…-model', id: undefined })
})
