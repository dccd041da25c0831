import { amazonQ } from '../../src/dialects/amazon-q/index.ts'
import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { ReplyContext } from '../../src/dialects/dialect.ts'
import type { QProfile } from '../../src/dialects/amazon-q/profile.ts'
import { profiles } from '../../src/providers/providers.ts'
import { type StreamTranslator, translateStream } from '../../src/stream/translate.ts'
import { ESTIMATED_INPUT, MESSAGE_ID, translate } from '../streams/translator.ts'
import { readStream, type ReadStream } from '../streams/grammar.ts'
import { bodyOf, type QEvent } from './frames.ts'

/** What the request said that an answer belongs to. */
export interface TurnSetup {
  readonly profile?: Partial<QProfile>
  readonly tools?: readonly string[]
  readonly stopSequences?: readonly string[]
}

/** A translator from frames to Messages events. */
export function turnTranslator({
  profile,
  tools = [],
  stopSequences = [],
}: TurnSetup = {}): StreamTranslator {
  const request = {
    model: 'claude-test',
    max_tokens: 9,
    messages: [{ role: 'user' as const, content: 'Hi.' }],
    tools: tools.map((name) => ({ name, description: name, input_schema: { type: 'object' as const } })),
    stop_sequences: [...stopSequences],
  }
  const target = { model: 'q', profile: { ...profiles['amazon-q'], ...profile } }
  const reply: ReplyContext = amazonQ.upstream.encodeRequest(request, target).reply
  return translateStream({
    upstream: amazonQ.upstream,
    client: anthropic.client,
    clientReply: {},
    reply,
    inputEstimate: ESTIMATED_INPUT,
    messageId: MESSAGE_ID,
  })
}

/** An answer that was read to its end: what the client got, and what the translator knows. */
export interface ReadAnswer extends ReadStream {
  readonly translator: StreamTranslator
}

/** What a client is told of these events and their end. */
export function answerOf(events: readonly QEvent[], setup?: TurnSetup): ReadAnswer {
  const translator = turnTranslator(setup)
  return { ...readStream(translate(translator, bodyOf(...events))), translator }
}
