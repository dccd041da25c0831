import { anthropic } from '../../src/dialects/anthropic/index.ts'
import type { ReplyContext } from '../../src/dialects/dialect.ts'
import { openaiChat } from '../../src/dialects/openai-chat/index.ts'
import type { HubMessage, HubRequest } from '../../src/hub/request.ts'
import { CallIdsInUse } from '../../src/identity/call-ids.ts'
import { type ChatProviderName, chatProfiles } from '../../src/providers/chat-profiles.ts'
import {
  type AnswerCollector,
  collectAnswer,
  type StreamTranslator,
  translateStream,
} from '../../src/stream/translate.ts'

/** What the request said that an answer belongs to: the contents of a `NAME.options.json`. */
export interface AnswerSetup {
  /** The upstream's profile; `generic` if nothing is said. */
  readonly profile?: ChatProviderName
  /** The upstream's model. */
  readonly model?: string
  /** The tag around thinking that is lifted out of text; no preset has one. */
  readonly thinkingTag?: string
  /** The names of the tools that the client offers. */
  readonly tools?: readonly string[]
  /** The ids of calls earlier in the conversation. */
  readonly usedIds?: readonly string[]
  readonly stopSequences?: readonly string[]
}

/** What the prompt is thought to cost in these tests, whatever the request becomes on the wire. */
export const ESTIMATED_INPUT = 40
/** The id of every message in these tests. */
export const MESSAGE_ID = 'msg_test'
/** The model that every client in these tests asked for. */
export const CLIENT_MODEL = 'claude-test'

const NOTHING: AnswerSetup = {}
const encoded = new WeakMap<AnswerSetup, ReplyContext>()

/** The context of an answer, from a small request that was really encoded (once per setup: sweeps need many). */
export function replyFor(setup: AnswerSetup = NOTHING): ReplyContext {
  const reply = encoded.get(setup) ?? encode(setup)
  encoded.set(setup, reply)
  const callIds = new CallIdsInUse()
  for (const id of setup.usedIds ?? []) callIds.add(id)
  return { ...reply, callIds }
}

function encode(setup: AnswerSetup): ReplyContext {
  const preset = chatProfiles[setup.profile ?? 'generic']
  const profile = { ...preset, thinkingTag: setup.thinkingTag ?? preset.thinkingTag }
  const target = { model: setup.model ?? 'some-model', profile }
  return openaiChat.upstream.encodeRequest(requestFor(setup), target).reply
}

/** A translator from chat chunks to Messages events. */
export function chatTranslator(setup?: AnswerSetup): StreamTranslator {
  return translateStream({
    upstream: openaiChat.upstream,
    client: anthropic.client,
    clientReply: {},
    reply: replyFor(setup),
    messageId: MESSAGE_ID,
    inputEstimate: ESTIMATED_INPUT,
  })
}

/** A translator from Messages events to Messages events. */
export function messagesTranslator(setup?: AnswerSetup): StreamTranslator {
  return translateStream({
    upstream: anthropic.upstream,
    client: anthropic.client,
    clientReply: {},
    reply: replyFor(setup),
    messageId: MESSAGE_ID,
    inputEstimate: ESTIMATED_INPUT,
  })
}

/** A collector of chat chunks. */
export function chatCollector(setup?: AnswerSetup): AnswerCollector {
  return collectAnswer({
    upstream: openaiChat.upstream,
    reply: replyFor(setup),
    messageId: MESSAGE_ID,
    inputEstimate: ESTIMATED_INPUT,
  })
}

/** Everything that a translator says to these pieces of a body and its end. */
export function translate(translator: StreamTranslator, ...pieces: readonly (string | Uint8Array)[]): string {
  let output = ''
  for (const piece of pieces) output += translator.push(toBytes(piece))
  return output + translator.end()
}

/** The UTF-8 of a text. */
export function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
}

/** The small request that an answer belongs to. */
export function requestFor({ tools = [], usedIds = [], stopSequences = [] }: AnswerSetup): HubRequest {
  return {
    model: CLIENT_MODEL,
    max_tokens: 1024,
    stream: true,
    messages: [{ role: 'user', content: 'Hello.' }, ...roundsOf(usedIds)],
    tools: tools.map((name) => ({ name, input_schema: { type: 'object' } })),
    stop_sequences: [...stopSequences],
  }
}

function roundsOf(ids: readonly string[]): HubMessage[] {
  return ids.flatMap((id): HubMessage[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
  ])
}
