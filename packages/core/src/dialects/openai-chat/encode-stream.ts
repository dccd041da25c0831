import { ByteOutput, type RunFrame } from '../../bytes/byte-output.ts'
import type { TextRun } from '../../bytes/text-run.ts'
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

/** From so many deltas on it pays to write bytes. */
const MANY_DELTAS = 8

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Creates the encoder of one stream of chunks. */
export function encodeStream(reply: ChatReply): StreamEncoder {
  return new ChunkEncoder(reply)
}

/** A call while its arguments come. */
interface OpenCall {
  /** What stands before and behind a piece of its input. */
  readonly prefix: string
  readonly suffix: string
  /** Takes the text out of the input of a custom call. */
  readonly custom: StringInput | undefined
  isEmpty: boolean
}

/**
 * Writes the chunks of one message. Deltas are the hot path: all but the text is the same for every chunk of a
 * stream, so it is written once and each delta costs one `JSON.stringify` of a string.
 */
class ChunkEncoder implements StreamEncoder {
  readonly #reply: ChatReply
  readonly #keeper: ThinkingKeeper | undefined
  #out = ''
  /** What was written before that, where it is bytes. */
  #bytes: ByteOutput | undefined
  /** What stands before the fields of a delta, and behind them. */
  #head = ''
  #tail = ''
  #textPrefix = ''
  #textSuffix = ''
  /** What stands around the texts of a run; made when the stream has one. */
  #runFrame: RunFrame | undefined
  #block: BlockHead['type'] | undefined
  #call: OpenCall | undefined
  #calls = 0
  #details = 0
  #thinkingPrefix = ''
  /** The open thinking block, and whether one before it had words. */
  #thought: string[] = []
  #signature = ''
  #hasThought = false

  constructor(reply: ChatReply) {
    this.#reply = reply
    this.#keeper = reply.memory === undefined ? undefined : new ThinkingKeeper()
  }

  take(): string {
    const raw = this.takeRaw()
    return typeof raw === 'string' ? raw : decoder.decode(raw)
  }

  takeRaw(): string | Uint8Array {
    const out = this.#out
    const bytes = this.#bytes
    this.#out = ''
    if (bytes === undefined) return out
    this.#bytes = undefined
    bytes.text(out)
    return bytes.take()
  }

  messageStart({ id, model }: MessageHead): void {
    const { created, includesUsage } = this.#reply
    const common = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
    const usage = includesUsage ? ',"usage":null' : ''
    this.#head = `data: ${common},"choices":[`
    this.#tail = `]${usage}}\n\n`
    this.#textPrefix = `${this.#head}{"index":0,"delta":{"content":`
    this.#thinkingPrefix = `${this.#head}{"index":0,"delta":{"reasoning_content":`
    this.#textSuffix = `},"finish_reason":null}${this.#tail}`
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
    this.#out += `${this.#textPrefix}${JSON.stringify(delta)}${this.#textSuffix}`
  }

  escapedText(delta: string): void {
    this.#out += `${this.#textPrefix}"${delta}"${this.#textSuffix}`
  }

  escapedRun(deltas: TextRun): void {
    if (deltas.count < MANY_DELTAS) {
      for (let index = 0; index < deltas.count; index += 1) this.escapedText(deltas.textAt(index))
      return
    }
    this.#bytes ??= new ByteOutput()
    this.#runFrame ??= runFrame(this.#textPrefix, this.#textSuffix)
    this.#bytes.run(this.#out, deltas, this.#runFrame)
    this.#out = ''
  }

  thinking(delta: string): void {
    const isParagraph = this.#thought.length === 0 && this.#hasThought
    if (this.#keeper !== undefined || this.#thought.length === 0) this.#thought.push(delta)
    const words = isParagraph ? PARAGRAPH + delta : delta
    this.#out += `${this.#thinkingPrefix}${JSON.stringify(words)}${this.#textSuffix}`
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
    this.#out += `${this.#head}{"index":0,"delta":{},"finish_reason":"${word}"}${this.#tail}`
    if (includesUsage) this.#out += `${this.#head}],"usage":${JSON.stringify(encodeUsage(usage))}}\n\n`
    this.#out += 'data: [DONE]\n\n'
  }

  error(error: HubError): void {
    this.#out += encodeErrorEvent(error)
  }

  #whole(block: HubContentBlock): void {
    if (block.type === 'redacted_thinking') this.#keeper?.thinking(block)
    else noteLeftOut(block.type, this.#reply)
  }

  #delta(fields: string): void {
    this.#out += `${this.#head}{"index":0,"delta":{${fields}${this.#textSuffix}`
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
    const prefix = `${this.#head}{"index":0,"delta":{"function_call":{"arguments":`
    return { prefix, suffix: `}${this.#textSuffix}`, custom: undefined, isEmpty: true }
  }

  #numberedCall({ index, id, name, isCustom }: NumberedCall): OpenCall {
    const type = isCustom ? 'custom' : 'function'
    const field = isCustom ? 'input' : 'arguments'
    const called = { index, id, type, [type]: { name, [field]: '' } }
    this.#delta(`"tool_calls":[${JSON.stringify(called)}]`)
    const prefix = `${this.#head}{"index":0,"delta":{"tool_calls":[{"index":${index},"${type}":{"${field}":`
    const custom = isCustom ? new StringInput() : undefined
    return { prefix, suffix: `}}]${this.#textSuffix}`, custom, isEmpty: true }
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
    this.#out += `${call.prefix}${JSON.stringify(piece)}${call.suffix}`
  }
}

interface NumberedCall {
  readonly index: number
  readonly id: string
  readonly name: string
  readonly isCustom: boolean
}

function runFrame(prefix: string, suffix: string): RunFrame {
  return {
    prefix: encoder.encode(`${prefix}"`),
    between: encoder.encode(`"${suffix}${prefix}"`),
    suffix: encoder.encode(`"${suffix}`),
  }
}
