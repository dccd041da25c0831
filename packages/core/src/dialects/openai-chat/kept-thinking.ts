import type { HubContentBlock } from '../../hub/message.ts'
import type { HubBlock } from '../../hub/request.ts'
import { headerOf, type HeaderValues } from '../../http/headers.ts'
import { fromBase64Url, toBase64Url } from '../../identity/base64url.ts'
import { digest } from '../../identity/digest.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { Memory } from '../dialect.ts'

/** Thinking as the hub has it, with its proof. */
export type ThinkingBlock = Extract<HubContentBlock, { type: 'thinking' | 'redacted_thinking' }>

/** The thinking that belongs to one call: Chat has no place for its proofs, so it is kept under the call's id. */
export interface KeptThinking {
  /** The thinking at the beginning of the turn. */
  readonly first: readonly ThinkingBlock[]
  /** The thinking directly before the call, after text or another call. */
  readonly before: readonly ThinkingBlock[]
  /** The thinking after the last call of the turn. */
  readonly after: readonly ThinkingBlock[]
}

/** How much of the first message of the user tells conversations apart. */
const OPENING_LENGTH = 1000
const PREFIX = 'hydra-thinking.'

/** The key of a call's thinking. Ids of calls are unique within a conversation only, so the key names both. */
export function thinkingKey(conversation: string, callId: string): string {
  return `openai-chat:call:${conversation}:${callId}`
}

/** A name for a conversation that each of its requests has: from the client's key and how the user began. */
export function conversationOf(messages: readonly unknown[], headers: HeaderValues): string {
  const key = ['authorization', 'x-api-key', 'api-key'].map((name) => headerOf(headers, name) ?? '').join(' ')
  const first = messages.find((message) => isJsonObject(message) && message['role'] === 'user')
  return digest(`${key}\n${openingOf(first)}`).slice(0, 32)
}

function openingOf(message: unknown): string {
  const content = isJsonObject(message) ? message['content'] : undefined
  if (typeof content === 'string') return content.slice(0, OPENING_LENGTH)
  const texts = Array.isArray(content)
    ? content.map((part: unknown) => (isJsonObject(part) ? part['text'] : ''))
    : []
  return (texts.find((text) => typeof text === 'string') ?? '').slice(0, OPENING_LENGTH)
}

/** The ids of all calls in a request's messages. */
export function callIdsIn(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) => {
    const calls = isJsonObject(message) ? message['tool_calls'] : undefined
    if (!Array.isArray(calls)) return []
    return calls.flatMap((call: unknown) =>
      isJsonObject(call) && typeof call['id'] === 'string' ? call['id'] : [],
    )
  })
}

/** Gathers the thinking of one answer by the calls that it belongs to. */
export class ThinkingKeeper {
  readonly #byCall = new Map<
    string,
    { first: ThinkingBlock[]; before: ThinkingBlock[]; after: ThinkingBlock[] }
  >()
  #waiting: ThinkingBlock[] = []
  #first: ThinkingBlock[] = []
  #isBeginning = true
  #lastCall: string | undefined

  thinking(block: ThinkingBlock): void {
    if (this.#isBeginning) this.#first.push(block)
    else this.#waiting.push(block)
  }

  text(): void {
    this.#isBeginning = false
  }

  /** A call begins; gives what was thought before it, if anything was. */
  call(id: string): KeptThinking | undefined {
    const kept = { first: this.#first, before: this.#waiting, after: [] }
    this.#isBeginning = false
    this.#first = []
    this.#waiting = []
    this.#lastCall = id
    this.#byCall.set(id, kept)
    return kept.first.length + kept.before.length > 0 ? kept : undefined
  }

  /** The answer is whole: what it thought is remembered for the next turn. */
  keepIn(memory: Memory, conversation: string): void {
    const last = this.#lastCall === undefined ? undefined : this.#byCall.get(this.#lastCall)
    last?.after.push(...this.#waiting)
    for (const [id, kept] of this.#byCall) {
      if (kept.first.length + kept.before.length + kept.after.length === 0) continue
      memory.set(thinkingKey(conversation, id), kept)
    }
  }
}

/** What was kept, as a text for clients that send such things back. */
export function sealKept(kept: KeptThinking): string {
  return PREFIX + toBase64Url(JSON.stringify(kept))
}

/** What `sealKept` made a text of; nothing for other texts. */
export function openKept(text: string): KeptThinking | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const json = fromBase64Url(text.slice(PREFIX.length))
  try {
    return json === undefined ? undefined : keptThinkingOf(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** A value from a memory, if it is what was put there. */
export function keptThinkingOf(value: unknown): KeptThinking | undefined {
  if (!isJsonObject(value)) return undefined
  const [first, before, after] = ['first', 'before', 'after'].map((place) => blocksAt(value, place))
  return first && before && after ? { first, before, after } : undefined
}

function blocksAt(value: JsonObject, place: string): ThinkingBlock[] | undefined {
  const blocks = value[place]
  return Array.isArray(blocks) && blocks.every(isThinking) ? blocks : undefined
}

function isThinking(value: unknown): value is ThinkingBlock {
  if (!isJsonObject(value)) return false
  if (value['type'] === 'redacted_thinking') return typeof value['data'] === 'string'
  return (
    value['type'] === 'thinking' &&
    typeof value['thinking'] === 'string' &&
    typeof value['signature'] === 'string'
  )
}

/** The words of thinking as a Chat client reads them. */
export function thinkingText(blocks: readonly (HubBlock | HubContentBlock)[]): string {
  const texts = blocks.map((block) => (block.type === 'thinking' ? block.thinking : ''))
  return texts.filter((text) => text !== '').join(PARAGRAPH)
}

/** The separator between two thoughts that a client reads as one text. */
export const PARAGRAPH = '\n\n'
