import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { ReplyContext } from '../../src/dialects/dialect.ts'
import { gemini } from '../../src/dialects/gemini/index.ts'
import {
  type AnswerCollector,
  collectAnswer,
  type StreamTranslator,
  translateStream,
} from '../../src/stream/translate.ts'
import { streamFixtures, type StreamFixture } from '../streams/fixtures.ts'
import { type AnswerSetup, CLIENT_MODEL, ESTIMATED_INPUT, MESSAGE_ID } from '../streams/translator.ts'

/** The folder of Gemini's answers below `fixtures/streams`. */
export const FOLDER = 'gemini/'

/** Gemini's answers. */
export function geminiFixtures(): StreamFixture[] {
  return streamFixtures(FOLDER)
}

/** The context of an answer, from a small request that was really encoded. */
export function geminiReply({ tools = [], stopSequences = [], model }: AnswerSetup = {}): ReplyContext {
  const request = {
    model: CLIENT_MODEL,
    max_tokens: 1024,
    stream: true as const,
    messages: [{ role: 'user' as const, content: 'Hello.' }],
    tools: tools.map((name) => ({ name, input_schema: { type: 'object' as const } })),
    stop_sequences: [...stopSequences],
  }
  const target = { model: model ?? 'gemini-3-flash-preview', profile: gemini.upstream.defaultProfile }
  return gemini.upstream.encodeRequest(request, target).reply
}

/** A translator from Gemini's answers to Messages events. */
export function geminiTranslator(setup?: AnswerSetup): StreamTranslator {
  return translateStream({
    upstream: gemini.upstream,
    client: anthropic.client,
    clientReply: {},
    reply: geminiReply(setup),
    messageId: MESSAGE_ID,
    inputEstimate: ESTIMATED_INPUT,
  })
}

/** A collector of Gemini's answers. */
export function geminiCollector(setup?: AnswerSetup): AnswerCollector {
  return collectAnswer({
    upstream: gemini.upstream,
    reply: geminiReply(setup),
    messageId: MESSAGE_ID,
    inputEstimate: ESTIMATED_INPUT,
  })
}
