import type { EscapedTextSink } from '../../fast-text/escaped-text-sink.ts'
import { GatheredText } from '../../fast-text/gathered-text.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import type { HubError } from '../../hub/error.ts'
import type { HubContentBlock, HubDelta, HubStop } from '../../hub/message.ts'
import type { BlockHead, MessageHead } from '../../hub/sink.ts'
import type { HubUsage } from '../../hub/usage.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { parseInput } from '../../stream/collect.ts'
import type { StreamEncoder } from '../dialect.ts'
import { ChunkOutput, lineSafe } from './chunk-output.ts'
import { encodeStreamError } from './error.ts'
import { Grounding } from './grounding.ts'
import { ThinkingKeeper } from './kept-thinking.ts'
import type { GeminiReply } from './reply.ts'
import { encodeStopReason, refusalFields } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import type { GeminiPart } from './wire.ts'

/** Creates the encoder of one stream of `GenerateContentResponse`s. */
export function encodeStream(reply: GeminiReply): StreamEncoder {
  return new ChunkEncoder(reply)
}

/** The block that is being written. */
interface OpenBlock {
  readonly head: BlockHead
  readonly said: GatheredText
  /** What comes before the text of a delta; the first may be signed. */
  signature: string | undefined
}

/**
 * Writes the chunks of one message. Calls are held back until the answer is known to be whole, because clients run
 * a call even if the stream fails after it; what follows a call waits with it, so that the order is kept.
 */
class ChunkEncoder implements StreamEncoder, EscapedTextSink {
  readonly #reply: GeminiReply
  readonly #out: ChunkOutput
  readonly #keeper = new ThinkingKeeper()
  readonly #grounding = new Grounding()
  readonly #held: GeminiPart[] = []
  #open: OpenBlock | undefined
  #hasCall = false
  #tail = ''
  #meta: object = {}

  constructor(reply: GeminiReply) {
    this.#reply = reply
    this.#out = new ChunkOutput(reply.isArray)
  }

  take(): string {
    return this.#out.take()
  }

  messageStart({ id, model, usage }: MessageHead): void {
    this.#meta = { modelVersion: model, responseId: id }
    const { promptTokenCount } = encodeUsage({ ...usage, output_tokens: 0 })
    // Gemini CLI sizes its context by the last count that it received.
    const counts = promptTokenCount ? { promptTokenCount, totalTokenCount: promptTokenCount } : undefined
    const rest = JSON.stringify({ ...(counts && { usageMetadata: counts }), ...this.#meta }).slice(1)
    this.#tail = `],"role":"model"},"index":0}],${lineSafe(rest)}`
  }

  blockStart(head: BlockHead): void {
    this.#open = { head, said: new GatheredText(), signature: undefined }
    if (head.type === 'text') this.#open.signature = this.#keeper.text()
    if (head.type === 'whole') this.#whole(head.block)
  }

  text(delta: string): void {
    this.#say(delta, JSON.stringify(delta))
  }

  escapedRun(deltas: TextRun): void {
    for (let index = 0; index < deltas.count; index += 1) this.#escaped(deltas.textAt(index))
  }

  thinking(delta: string): void {
    this.#open?.said.push(delta)
    if (!this.#reply.showsThoughts) return
    if (this.#hasCall) this.#held.push({ text: delta, thought: true })
    else this.#chunk(`{"text":${lineSafe(JSON.stringify(delta))},"thought":true}`)
  }

  signature(value: string): void {
    if (this.#open !== undefined) this.#open.signature = value
  }

  inputJson(delta: string): void {
    this.#open?.said.push(delta)
  }

  escapedInput(pieces: TextRun): void {
    this.#open?.said.pushRun(pieces)
  }

  extra(delta: HubDelta): void {
    if (delta.type === 'citations_delta' && this.#grounding.cite(delta.citation)) return
    noteLeftOut(delta.type, this.#reply)
  }

  blockStop(): void {
    const open = this.#open
    this.#open = undefined
    switch (open?.head.type) {
      case 'text':
        if (this.#reply.searches) this.#grounding.said(open.said.text)
        return
      case 'thinking':
        this.#keep(open.said.text, open.signature ?? '')
        return
      case 'tool_use':
        this.#call(open.head, open.said.text)
        return
      case 'server_tool_use':
        if (open.head.name === 'web_search') this.#grounding.searched(parseInput(open.said.text))
        else noteLeftOut(open.head.type, this.#reply)
        return
      default:
    }
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    const closing = this.#keeper.close()
    if (closing !== undefined) this.#held.push({ text: '', thoughtSignature: closing })
    // The SDK forgets a turn of which one chunk has no parts.
    const parts = this.#held.length === 0 ? [{ text: '' }] : this.#held
    const candidate = {
      content: { parts, role: 'model' },
      finishReason: encodeStopReason(stop),
      ...refusalFields(stop),
      index: 0,
      ...this.#grounding.fields,
    }
    const chunk = { candidates: [candidate], usageMetadata: encodeUsage(usage), ...this.#meta }
    this.#out.chunk(lineSafe(JSON.stringify(chunk)))
    this.#out.close()
  }

  error(error: HubError): void {
    this.#out.fail(lineSafe(encodeStreamError(error)))
  }

  #escaped(delta: string): void {
    const json = `"${delta}"`
    this.#say(this.#hasCall || this.#reply.searches ? (JSON.parse(json) as string) : '', json)
  }

  #say(text: string, json: string): void {
    const open = this.#open
    if (open === undefined) return
    const { signature } = open
    open.signature = undefined
    if (this.#reply.searches) open.said.push(text)
    if (this.#hasCall) {
      this.#held.push({ text, ...(signature !== undefined && { thoughtSignature: signature }) })
      return
    }
    const signed = signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`
    this.#chunk(`{"text":${lineSafe(json)}${signed}}`)
  }

  #keep(thinking: string, signature: string): void {
    if (thinking !== '' || signature !== '')
      this.#part(this.#keeper.add({ type: 'thinking', thinking, signature }))
  }

  #call({ id, name }: Extract<BlockHead, { id: string }>, input: string): void {
    const signature = this.#keeper.call()
    this.#hasCall = true
    this.#held.push({
      functionCall: { id, name, args: argumentsOf(input) },
      ...(signature !== undefined && { thoughtSignature: signature }),
    })
  }

  #whole(block: HubContentBlock): void {
    if (block.type === 'redacted_thinking')
      this.#part(this.#keeper.add({ type: block.type, data: block.data }))
    else if (block.type === 'web_search_tool_result') this.#grounding.found(block)
    else noteLeftOut(block.type, this.#reply)
  }

  #part(part: GeminiPart | undefined): void {
    if (part === undefined) return
    if (this.#hasCall) this.#held.push(part)
    else this.#chunk(lineSafe(JSON.stringify(part)))
  }

  #chunk(part: string): void {
    this.#out.chunk(`{"candidates":[{"content":{"parts":[${part}${this.#tail}`)
  }
}

function argumentsOf(input: string): Record<string, unknown> {
  const value = parseInput(input)
  return isJsonObject(value) ? { ...value } : {}
}

/** Says that a part of the answer has no place in Google's form: what Anthropic's servers did, citations. */
export function noteLeftOut(type: string, { answerNotes }: GeminiReply): void {
  answerNotes.add('answer_part_left_out', type, 'an answer of Gemini has no place for it')
}
