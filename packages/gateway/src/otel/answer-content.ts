import {
  AnswerReader,
  BlockCollector,
  type CollectedBlock,
  plainReply,
  profileFor,
  registry,
} from '@hydra/core'
import type { ObservedTarget } from '../observe/observer.ts'
import type { ContentPart } from './request-content.ts'

/** Longer answers are cut: a span is no place for megabytes. */
const MAX_LENGTH = 1_000_000

/** Reads along in an answer and keeps its words. */
export class AnswerContent {
  readonly #collector = new BlockCollector({ maxLength: MAX_LENGTH })
  readonly #reader: AnswerReader

  constructor({ dialect, model, profile }: ObservedTarget) {
    const reply = plainReply(model, profileFor(profile, model))
    this.#reader = new AnswerReader(
      { upstream: registry.upstream(dialect), reply, messageId: 'msg' },
      this.#collector,
    )
  }

  read(bytes: Uint8Array): void {
    this.#reader.push(bytes)
  }

  /** The words that came, as an attribute. */
  attributes(finish: string): Record<string, string> {
    // An answer in one body is understood only at its end.
    this.#reader.end()
    const message = { role: 'assistant', parts: this.#collector.blocks.map(partOf), finish_reason: finish }
    return { 'gen_ai.output.messages': JSON.stringify([message]) }
  }
}

function partOf({ head, content }: CollectedBlock): ContentPart {
  switch (head.type) {
    case 'text':
      return { type: 'text', content }
    case 'thinking':
      return { type: 'reasoning', content }
    case 'whole':
      return { type: head.block.type }
    default:
      return { type: 'tool_call', id: head.id, name: head.name, arguments: argumentsIn(content) }
  }
}

/** The input of a call; of one that was cut off, what came of it. */
function argumentsIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
