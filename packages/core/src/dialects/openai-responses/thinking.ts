import { sealEnvelope } from '../../identity/envelope.ts'
import { type WireObject, arrayAt, objectAt, textAt } from '../../json/wire.ts'
import type { ItemTeller } from './items.ts'
import { type Part, Parts } from './parts.ts'
import type { ResponsesContext } from './profile.ts'
import { NAME } from './wire.ts'

/** Between two parts of reasoning, which are paragraphs. */
const BETWEEN_PARTS = '\n\n'

/** A reasoning item: its text, or its summary, as one block of thinking, sealed with what only its maker can read. */
export class ReasoningItem implements ItemTeller {
  readonly #context: ResponsesContext
  readonly #summary = new Parts()
  readonly #content = new Parts()
  /** Which of the two is told: they are one thought, and the first one that comes counts. */
  #told: Parts | undefined
  #latest: Part | undefined
  #isSummed = false

  constructor(context: ResponsesContext) {
    this.#context = context
  }

  /** A thought in plain words has no proof that its end would bring; that of a summary comes behind its last words. */
  get isSaid(): boolean {
    return this.#told !== undefined && (this.#told === this.#content || this.#isSummed)
  }

  event(type: string, event: WireObject): void {
    switch (type) {
      case 'reasoning_summary_text.delta':
        this.#isSummed = false
        this.#text(this.#summary, this.#summary.at(event['summary_index']), event['delta'])
        return
      case 'reasoning_text.delta':
        this.#text(this.#content, this.#content.at(event['content_index']), event['delta'])
        return
      case 'reasoning_summary_text.done':
        this.#isSummed = true
        this.#rest(this.#summary, this.#summary.at(event['summary_index']), event['text'])
        return
      case 'reasoning_text.done':
        this.#rest(this.#content, this.#content.at(event['content_index']), event['text'])
        return
      default:
      // What begins and ends says nothing that the texts and the whole item do not.
    }
  }

  done(item: WireObject): void {
    this.#whole(this.#content, arrayAt(item['content'], 'item.content'))
    this.#whole(this.#summary, arrayAt(item['summary'], 'item.summary'))
    const { writer } = this.#context
    const proof = textAt(item['encrypted_content'], 'item.encrypted_content')
    if (proof === '') writer.closeBlock()
    else writer.signature(sealEnvelope({ by: NAME, proof }))
  }

  #whole(parts: Parts, list: readonly unknown[]): void {
    for (const [index, element] of list.entries()) {
      const part = objectAt(element, 'a part of the reasoning')
      this.#rest(parts, parts.final(index, list.length), part?.['text'])
    }
  }

  #rest(parts: Parts, part: Part, value: unknown): void {
    if (part.length === 0) this.#text(parts, part, value)
  }

  #text(parts: Parts, part: Part, value: unknown): void {
    const text = textAt(value, 'a text of the reasoning')
    if (text === '') return
    const { writer, notes } = this.#context
    this.#told ??= parts
    if (this.#told !== parts) {
      const message = 'a thought has a text and a summary: the one that came first is told'
      notes.addOnce('thinking_told_once', 'item.summary', message)
      return
    }
    if (this.#latest !== undefined && this.#latest !== part) writer.thinking(BETWEEN_PARTS)
    this.#latest = part
    part.length += text.length
    writer.thinking(text)
  }
}
