import type { DialectName } from '../../src/dialects/registry.ts'
import { registry } from '../../src/dialects/registry.ts'
import { gemini } from '../../src/dialects/gemini/index.ts'
import type { GeminiReply } from '../../src/dialects/gemini/reply.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import type { ReplyContext } from '../../src/dialects/dialect.ts'
import { type Translation, translateAnswer } from '../../src/exchange/translation.ts'
import type { HubContentBlock, HubResponse, HubStop, HubStopReason } from '../../src/hub/message.ts'
import { usageOf } from '../../src/hub/usage.ts'
import { asText } from '../../src/sse/as-text.ts'
import { unfold } from '../../src/stream/unfold.ts'
import type { GeminiAnswer } from '../pairs/readers/read-gemini.ts'

/** The model that every client in these tests asks for. */
export const MODEL = 'gemini-test'

/** How a client asks. */
export interface Asked {
  readonly method?: 'generateContent' | 'streamGenerateContent'
  readonly alt?: string
  /** Fields of the body. */
  readonly fields?: object
}

const SEES_THOUGHTS = { generationConfig: { thinkingConfig: { includeThoughts: true } } }

/** What the encoders know of a request. */
export function replyTo({
  method = 'streamGenerateContent',
  alt = 'sse',
  fields = SEES_THOUGHTS,
}: Asked = {}): GeminiReply {
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }], ...fields }
  const path = `/v1beta/models/${MODEL}:${method}`
  return gemini.client.decodeRequest(plainCall(body, { path, params: { model: MODEL }, query: { alt } }))
    .reply
}

/** A message in the hub's form. */
export function message(
  content: readonly object[],
  stop: HubStopReason = 'end_turn',
  details: HubStop['stop_details'] = null,
): HubResponse {
  return {
    id: 'answer-1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: content as HubContentBlock[],
    stop_reason: stop,
    stop_sequence: null,
    stop_details: details,
    container: null,
    diagnostics: null,
    usage: usageOf({
      input_tokens: 10,
      output_tokens: 7,
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 2,
      output_tokens_details: { thinking_tokens: 3 },
    }),
  }
}

/** The stream of a message. */
export function streamed(answer: HubResponse, reply: GeminiReply = replyTo()): string {
  const encoder = gemini.client.encodeStream(reply)
  unfold(answer, encoder)
  return asText(encoder.take())
}

/** A message that is sent whole. */
export function whole(
  answer: HubResponse,
  reply: GeminiReply = replyTo({ method: 'generateContent' }),
): GeminiAnswer {
  return JSON.parse(JSON.stringify(gemini.client.encodeResponse(answer, reply))) as GeminiAnswer
}

/** A translation of an upstream's answer for a Gemini client. */
export function geminiTranslation(
  upstream: DialectName,
  { reply, asked }: { readonly reply: ReplyContext; readonly asked?: Asked },
): Translation {
  return translateAnswer({
    upstream: registry.upstream(upstream),
    client: gemini.client,
    clientReply: replyTo(asked),
    reply,
    messageId: 'answer-1',
    inputEstimate: 40,
  })
}
