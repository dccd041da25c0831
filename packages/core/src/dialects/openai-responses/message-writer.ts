import { GatheredText } from '../../fast-text/gathered-text.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import type { HubDelta } from '../../hub/message.ts'
import { type DeltaFrame, deltaFrame, fieldsOf } from './event-output.ts'
import { closeItem, type ItemPlace, type ItemStatus, type ItemWriter, openItem } from './item-writers.ts'
import type { OutputItem } from './wire.ts'

type Message = Extract<OutputItem, { type: 'message' }>
type Part = Extract<Message['content'][number], { type: 'output_text' }>
type Annotation = Part['annotations'][number]
type Citation = Extract<HubDelta, { type: 'citations_delta' }>['citation']

/** Writes a message: blocks of text that follow one another are its parts. */
export class MessageWriter implements ItemWriter {
  readonly #place: ItemPlace
  readonly #parts: Part[] = []
  #frame: DeltaFrame
  /** The text of the open part. */
  #text = new GatheredText()
  #citations: Citation[] = []

  constructor(place: ItemPlace) {
    this.#place = place
    openItem(place, this.#item('in_progress'))
    this.#frame = this.#openPart()
  }

  /** The next block of text. */
  nextPart(): void {
    this.#closePart()
    this.#frame = this.#openPart()
  }

  delta(piece: string): void {
    this.#text.push(piece)
    this.#place.out.delta(this.#frame, JSON.stringify(piece))
  }

  /** Words that are still escaped. */
  escapedRun(deltas: TextRun): void {
    this.#text.pushRun(deltas)
    this.#place.out.deltas(this.#frame, deltas)
  }

  cite(citation: Citation): void {
    this.#citations.push(citation)
  }

  close(status: ItemStatus): OutputItem {
    this.#closePart()
    return closeItem(this.#place, this.#item(status))
  }

  #openPart(): DeltaFrame {
    const { out } = this.#place
    const fields = this.#fields()
    const part: Part = { type: 'output_text', text: '', annotations: [], logprobs: [] }
    out.event('response.content_part.added', fieldsOf({ ...fields, part }))
    return deltaFrame('response.output_text.delta', fields, ',"logprobs":[]')
  }

  #closePart(): void {
    const { out } = this.#place
    const fields = this.#fields()
    const { text } = this.#text
    const annotations = this.#citations.flatMap((citation) => annotationOf(citation, text))
    for (const [index, annotation] of annotations.entries()) {
      const added = { ...fields, annotation_index: index, annotation }
      out.event('response.output_text.annotation.added', fieldsOf(added))
    }
    const part: Part = { type: 'output_text', text, annotations, logprobs: [] }
    out.event('response.output_text.done', fieldsOf({ ...fields, text, logprobs: [] }))
    out.event('response.content_part.done', fieldsOf({ ...fields, part }))
    this.#parts.push(part)
    this.#text = new GatheredText()
    this.#citations = []
  }

  #fields(): object {
    const { id, index } = this.#place
    return { item_id: id, output_index: index, content_index: this.#parts.length }
  }

  #item(status: ItemStatus | 'in_progress'): Message {
    const { id } = this.#place
    return { type: 'message', id, role: 'assistant', status, content: [...this.#parts] }
  }
}

/** A block that cites something is the passage that the citation is for. */
function annotationOf(citation: Citation, text: string): Annotation[] {
  if (citation.type !== 'web_search_result_location') return []
  const { url, title } = citation
  return [{ type: 'url_citation', url, title: title ?? url, start_index: 0, end_index: text.length }]
}
