import type { HubContentBlock, HubResponse } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { noteLeftOut } from './encode-stream.ts'
import { Grounding } from './grounding.ts'
import { ThinkingKeeper } from './kept-thinking.ts'
import type { GeminiReply } from './reply.ts'
import { encodeStopReason, refusalFields } from './stop-reason.ts'
import { encodeUsage } from './usage.ts'
import type { GeminiPart } from './wire.ts'

/** A whole answer as the client reads it; what the chunks of its stream would come to. */
export function encodeResponse(message: HubResponse, reply: GeminiReply): object {
  const { content, stop_reason, stop_sequence, stop_details, usage, model, id } = message
  const answer = new AnswerParts(reply)
  for (const block of content) answer.add(block)
  const stop = { stop_reason, stop_sequence, stop_details: stop_details ?? null }
  const candidate = {
    content: { parts: answer.close(), role: 'model' },
    finishReason: encodeStopReason(stop),
    ...refusalFields(stop),
    index: 0,
    ...answer.grounding.fields,
  }
  return { candidates: [candidate], usageMetadata: encodeUsage(usage), modelVersion: model, responseId: id }
}

class AnswerParts {
  readonly grounding = new Grounding()
  readonly #reply: GeminiReply
  readonly #keeper = new ThinkingKeeper()
  readonly #parts: GeminiPart[] = []

  constructor(reply: GeminiReply) {
    this.#reply = reply
  }

  add(block: HubContentBlock): void {
    switch (block.type) {
      case 'text':
        this.#text(block)
        return
      case 'thinking':
        this.#thinking(block)
        return
      case 'redacted_thinking':
        this.#push(this.#keeper.add({ type: block.type, data: block.data }))
        return
      case 'tool_use':
        this.#call(block)
        return
      case 'server_tool_use':
        if (block.name === 'web_search') this.grounding.searched(block.input)
        else noteLeftOut(block.type, this.#reply)
        return
      case 'web_search_tool_result':
        this.grounding.found(block)
        return
      default:
        noteLeftOut(block.type, this.#reply)
    }
  }

  close(): readonly GeminiPart[] {
    const closing = this.#keeper.close()
    if (closing !== undefined) this.#parts.push({ text: '', thoughtSignature: closing })
    return this.#parts.length === 0 ? [{ text: '' }] : this.#parts
  }

  #text({ text, citations }: Extract<HubContentBlock, { type: 'text' }>): void {
    const signature = this.#keeper.text()
    for (const citation of citations ?? []) {
      if (!this.grounding.cite(citation)) noteLeftOut('citations_delta', this.#reply)
    }
    this.grounding.said(text)
    if (text === '' && signature === undefined) return
    this.#push({ text, ...(signature !== undefined && { thoughtSignature: signature }) })
  }

  #thinking({ thinking, signature }: Extract<HubContentBlock, { type: 'thinking' }>): void {
    if (this.#reply.showsThoughts && thinking !== '') this.#push({ text: thinking, thought: true })
    if (thinking !== '' || signature !== '')
      this.#push(this.#keeper.add({ type: 'thinking', thinking, signature }))
  }

  #call({ id, name, input }: Extract<HubContentBlock, { type: 'tool_use' }>): void {
    const signature = this.#keeper.call()
    this.#push({
      functionCall: { id, name, args: isJsonObject(input) ? { ...input } : {} },
      ...(signature !== undefined && { thoughtSignature: signature }),
    })
  }

  #push(part: GeminiPart | undefined): void {
    if (part !== undefined) this.#parts.push(part)
  }
}
