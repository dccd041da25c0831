import type { EscapedTextSink } from '../../fast-text/escaped-text-sink.ts'
import { DeltaFrame, EventOutput } from '../../fast-text/event-output.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import type { HubError } from '../../hub/error.ts'
import type { HubContentBlock, HubDelta, HubStop } from '../../hub/message.ts'
import type { BlockHead, MessageHead } from '../../hub/sink.ts'
import type { HubUsage } from '../../hub/usage.ts'
import { StringInput } from '../../stream/string-input.ts'
import type { StreamEncoder } from '../dialect.ts'
import type { ChatReply } from './chat-reply.ts'
import { encodeErrorEvent } from './encode-error.ts'
import { noteLeftOut, reasoningDetail } from './encode-response.ts'
import { PARAGRAPH, ThinkingKeeper } from './kept-thinking.ts'
import { encodeFinishReason } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'

const NO_MESSAGE = new DeltaFrame('', '')

const DONE = 'data: [DONE]\n\n'
/** What ends every stream. */
export const STREAM_END: Uint8Array = new TextEncoder().encode(DONE)

/** How much thinking of one stream is kept for the next turn, in characters: a model may think without an end. */
const MAX_KEPT_THINKING = 4 * 1024 * 1024
/** What an engine needs to keep a piece, however short it is. */
const PIECE_COST = 32

/** Creates the encoder of one stream of chunks. */
export function encodeStream(reply: ChatReply): StreamEncoder & EscapedTextSink {
  return new ChunkEncoder(reply)
}

/** A call while its arguments come. */
interface OpenCall {
  /** What is around each piece of its input. */
  readonly frame: DeltaFrame
  /** Takes the text out of the input of a custom call. */
  readonly custom: StringInput | undefined
  isEmpty: boolean
}

/**
 * Writes the chunks of one message. Deltas are the hot path: all but the text is the same for every chunk of a
 * stream, so it is written once and each delta costs one `JSON.stringify` of a string.
 */
class ChunkEncoder implements StreamEncoder, EscapedTextSink {
  readonly #reply: ChatReply
  #keeper: ThinkingKeeper | undefined
  #keptLength = 0
  readonly #out = new EventOutput()
  /** The JSON before and after the fields of a delta. */
  #head = ''
  #tail = ''
  /** What closes a delta and its chunk. */
  #deltaEnd = ''
  /** What is around the words, and around the thinking. */
  #text = NO_MESSAGE
  #thinking = NO_MESSAGE
  #block: BlockHead['type'] | undefined
  #call: OpenCall | undefined
  #calls = 0
  #details = 0
  /** The open thinking block, and whether one before it had words. */
  #thought: string[] = []
  #signature = ''
  #hasThought = false

  constructor(reply: ChatReply) {
    this.#reply = reply
    this.#keeper = reply.memory === undefined ? undefined : new ThinkingKeeper()
  }

  take(): string | Uint8Array {
    return this.#out.take()
  }

  messageStart({ id, model }: MessageHead): void {
    const { created, includesUsage } = this.#reply
    const common = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
    const usage = includesUsage ? ',"usage":null' : ''
    this.#head = `data: ${common},"choices":[`
    this.#tail = `]${usage}}\n\n`
    this.#deltaEnd = `},"finish_reason":null}${this.#tail}`
    this.#text = this.#frameOf('"content":')
    this.#thinking = this.#frameOf('"reasoning_content":')
    this.#delta('"role":"assistant","content":""')
  }

  blockStart(block: BlockHead): void {
    this.#block = block.type
    if (block.type === 'text') this.#keeper?.text()
    if (block.type === 'tool_use') this.#callStart(block.id, block.name)
    if (block.type === 'server_tool_use') noteLeftOut(block.type, this.#reply)
    if (block.type === 'whole') this.#whole(block.block)
  }

  text(delta: string): void {
    this.#out.write(this.#text.around(delta))
  }

  escapedRun(deltas: TextRun): void {
    this.#out.writeRun(deltas, this.#text)
  }

  thinking(delta: string): void {
    const isParagraph = this.#thought.length === 0 && this.#hasThought
    if (this.#keeper !== undefined || this.#thought.length === 0) this.#keep(delta)
    this.#out.write(this.#thinking.around(isParagraph ? PARAGRAPH + delta : delta))
  }

  #keep(thinking: string): void {
    this.#thought.push(thinking)
    this.#keptLength += thinking.length + PIECE_COST
    if (this.#keeper === undefined || this.#keptLength <= MAX_KEPT_THINKING) return
    // Half of a thought proves nothing, so none of it is kept.
    this.#keeper = undefined
    this.#thought = ['']
    const message = `longer than ${MAX_KEPT_THINKING} characters: the next turn is sent without it`
    this.#reply.answerNotes.add('thinking_not_kept', 'reasoning_content', message)
  }

  /** Chat has no place for a proof: it is remembered with the calls that follow. */
  signature(value: string): void {
    this.#signature = value
  }

  inputJson(delta: string): void {
    const call = this.#call
    if (call === undefined) return
    const piece = call.custom === undefined ? delta : call.custom.push(delta)
    if (piece !== '') this.#input(call, piece)
  }

  escapedInput(pieces: TextRun): void {
    const call = this.#call
    if (call !== undefined && call.custom === undefined) {
      call.isEmpty = false
      this.#out.writeRun(pieces, call.frame)
      return
    }
    for (let index = 0; index < pieces.count; index += 1) this.inputJson(pieces.unescapedAt(index))
  }

  extra({ type }: HubDelta): void {
    noteLeftOut(type, this.#reply)
  }

  blockStop(): void {
    if (this.#block === 'thinking') this.#thinkingStop()
    if (this.#call !== undefined) this.#callStop(this.#call)
    this.#block = undefined
  }

  messageStop({ stop_reason: reason }: HubStop, usage: HubUsage): void {
    const { memory, conversation, includesUsage, isLegacy } = this.#reply
    if (memory !== undefined) this.#keeper?.keepIn(memory, conversation)
    const finish = encodeFinishReason(reason, this.#calls)
    const word = isLegacy && finish === 'tool_calls' ? 'function_call' : finish
    this.#out.write(`${this.#head}{"index":0,"delta":{},"finish_reason":"${word}"}${this.#tail}`)
    if (includesUsage) this.#out.write(`${this.#head}],"usage":${JSON.stringify(encodeUsage(usage))}}\n\n`)
    this.#out.write(DONE)
  }

  error(error: HubError): void {
    this.#out.write(encodeErrorEvent(error))
  }

  #whole(block: HubContentBlock): void {
    if (block.type === 'redacted_thinking') this.#keeper?.thinking(block)
    else noteLeftOut(block.type, this.#reply)
  }

  #delta(fields: string): void {
    this.#out.write(`${this.#head}{"index":0,"delta":{${fields}${this.#deltaEnd}`)
  }

  /** What is around a text that comes in one field of the delta. */
  #frameOf(field: string, close = ''): DeltaFrame {
    return new DeltaFrame(`${this.#head}{"index":0,"delta":{${field}`, `${close}${this.#deltaEnd}`)
  }

  #thinkingStop(): void {
    const hasWords = this.#thought.length > 0
    if (hasWords || this.#signature !== '') {
      const thinking = this.#thought.join('')
      this.#keeper?.thinking({ type: 'thinking', thinking, signature: this.#signature })
    }
    this.#hasThought ||= hasWords
    this.#thought = []
    this.#signature = ''
  }

  #callStart(id: string, name: string): void {
    const index = this.#calls
    this.#calls += 1
    const isLegacy = this.#reply.isLegacy && index === 0
    const isCustom = !isLegacy && this.#reply.customTools.has(name)
    this.#call = isLegacy
      ? this.#legacyCall(name)
      : this.#numberedCall({ index: this.#numberOf(index), id, name, isCustom })
    const kept = this.#keeper?.call(id)
    if (kept === undefined || !this.#reply.takesDetails) return
    this.#delta(`"reasoning_details":${JSON.stringify([reasoningDetail(id, kept, this.#details)])}`)
    this.#details += 1
  }

  /** The place of a call in `tool_calls`; the first call of a client of old has none. */
  #numberOf(index: number): number {
    return this.#reply.isLegacy ? index - 1 : index
  }

  #legacyCall(name: string): OpenCall {
    this.#delta(`"function_call":{"name":${JSON.stringify(name)},"arguments":""}`)
    return { frame: this.#frameOf('"function_call":{"arguments":', '}'), custom: undefined, isEmpty: true }
  }

  #numberedCall({ index, id, name, isCustom }: NumberedCall): OpenCall {
    const type = isCustom ? 'custom' : 'function'
    const field = isCustom ? 'input' : 'arguments'
    const called = { index, id, type, [type]: { name, [field]: '' } }
    this.#delta(`"tool_calls":[${JSON.stringify(called)}]`)
    const frame = this.#frameOf(`"tool_calls":[{"index":${index},"${type}":{"${field}":`, '}}]')
    return { frame, custom: isCustom ? new StringInput() : undefined, isEmpty: true }
  }

  #callStop(call: OpenCall): void {
    const rest = call.custom?.end() ?? ''
    if (rest !== '') this.#input(call, rest)
    // Arguments are JSON, and nothing at all is none.
    if (call.isEmpty && call.custom === undefined) this.#input(call, '{}')
    this.#call = undefined
  }

  #input(call: OpenCall, piece: string): void {
    call.isEmpty = false
    this.#out.write(call.frame.around(piece))
  }
}

interface NumberedCall {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
}
