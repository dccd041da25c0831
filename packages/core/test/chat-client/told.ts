import { asText } from '../../src/sse/as-text.ts'
import type { ClientReply, Memory } from '../../src/dialects/dialect.ts'
import type { ChatReply } from '../../src/dialects/openai-chat/chat-reply.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import { plainCall } from '../../src/dialects/plain-call.ts'
import type { HubContentBlock, HubResponse, HubStopReason } from '../../src/hub/message.ts'
import { usageOf } from '../../src/hub/usage.ts'
import { unfold } from '../../src/stream/unfold.ts'

/** A memory that forgets nothing. */
export function mapMemory(): Memory & { readonly keys: () => string[] } {
  const entries = new Map<string, string>()
  return {
    get: (key) => (entries.has(key) ? (JSON.parse(entries.get(key) ?? '') as unknown) : undefined),
    set: (key, value) => void entries.set(key, JSON.stringify(value)),
    delete: (key) => void entries.delete(key),
    keys: () => [...entries.keys()],
  }
}

const TOOLS = ['Read', 'Bash'].map((name) => ({ type: 'function', function: { name } }))
const CUSTOM = { type: 'custom', custom: { name: 'patch' } }

/** How a client asks in these tests, unless it says otherwise. */
export const ASKED = {
  model: 'gpt-test',
  messages: [{ role: 'user', content: 'Hello.' }],
  tools: [...TOOLS, CUSTOM],
  stream: true,
  stream_options: { include_usage: true },
}

/** What the encoders know of a request. */
export function replyTo(fields: object = {}, memory: Memory = mapMemory()): ChatReply {
  return openaiChat.client.decodeRequest(
    plainCall({ ...ASKED, ...fields }, { memory, now: 1_700_000_000_000 }),
  ).reply
}

/** A message in the hub's form. */
export function message(content: readonly object[], stop: HubStopReason = 'end_turn'): HubResponse {
  return {
    id: 'chatcmpl-1',
    type: 'message',
    role: 'assistant',
    model: 'gpt-test',
    content: content as HubContentBlock[],
    stop_reason: stop,
    stop_sequence: null,
    stop_details: null,
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

/** A message as a stream of chunks. */
export function streamed(told: HubResponse, reply: ClientReply = replyTo()): string {
  const encoder = openaiChat.client.encodeStream(reply as ChatReply)
  unfold(told, encoder)
  return asText(encoder.take())
}
