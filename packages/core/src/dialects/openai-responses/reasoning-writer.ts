import { UNSIGNED } from '../../identity/envelope.ts'
import { type DeltaFrame, deltaFrame, fieldsOf } from './event-output.ts'
import { closeItem, type ItemPlace, type ItemStatus, type ItemWriter, openItem } from './item-writers.ts'
import type { OutputItem } from './wire.ts'

type Reasoning = Extract<OutputItem, { type: 'reasoning' }>

/** Writes the model's thinking: as a summary, which is what clients show, with its proof for the next turn. */
export class ReasoningWriter implements ItemWriter {
  readonly #place: ItemPlace
  #frame: DeltaFrame | undefined
  #text = ''
  #encrypted: string | undefined

  constructor(place: ItemPlace) {
    this.#place = place
    openItem(place, this.#item())
  }

  delta(piece: string): void {
    this.#frame ??= this.#openPart()
    this.#text += piece
    this.#place.out.delta(this.#frame, JSON.stringify(piece))
  }

  /** What proves the thinking to its maker. */
  prove(encrypted: string): void {
    this.#encrypted = encrypted
  }

  /** Reasoning has no status: what matters of it is whether it can be proved. */
  close(_status: ItemStatus): OutputItem {
    if (this.#frame !== undefined) this.#closePart()
    this.#encrypted ??= UNSIGNED
    return closeItem(this.#place, this.#item())
  }

  #openPart(): DeltaFrame {
    const fields = this.#fields()
    const part = { type: 'summary_text', text: '' }
    this.#place.out.event('response.reasoning_summary_part.added', fieldsOf({ ...fields, part }))
    return deltaFrame('response.reasoning_summary_text.delta', fields)
  }

  #closePart(): void {
    const { out } = this.#place
    const fields = this.#fields()
    const part = { type: 'summary_text', text: this.#text }
    out.event('response.reasoning_summary_text.done', fieldsOf({ ...fields, text: this.#text }))
    out.event('response.reasoning_summary_part.done', fieldsOf({ ...fields, part }))
  }

  #fields(): object {
    return { item_id: this.#place.id, output_index: this.#place.index, summary_index: 0 }
  }

  #item(): Reasoning {
    const summary: Reasoning['summary'] =
      this.#frame === undefined ? [] : [{ type: 'summary_text', text: this.#text }]
    return {
      type: 'reasoning',
      id: this.#place.id,
      summary,
      ...(this.#encrypted !== undefined && { encrypted_content: this.#encrypted }),
    }
  }
}
