import { type WireObject, arrayAt, objectAt, textAt } from '../../json/wire.ts'
import type { ItemTeller } from './items.ts'
import { type Part, Parts } from './parts.ts'
import type { ResponsesContext } from './profile.ts'

/** A message of an answer: its texts and refusals, each part a block of its own. */
export class MessageItem implements ItemTeller {
  readonly #context: ResponsesContext
  readonly #parts = new Parts()
  #latest: Part | undefined

  constructor(context: ResponsesContext) {
    this.#context = context
  }

  event(type: string, event: WireObject): void {
    switch (type) {
      case 'output_text.delta':
      case 'refusal.delta':
        this.#text(this.#parts.at(event['content_index']), textAt(event['delta'], 'delta'))
        return
      case 'output_text.done':
        this.#rest(this.#parts.at(event['content_index']), textAt(event['text'], 'text'))
        return
      case 'refusal.done':
        this.#noteRefusal()
        this.#rest(this.#parts.at(event['content_index']), textAt(event['refusal'], 'refusal'))
        return
      case 'output_text.annotation.added':
      case 'output_text_annotation.added':
        this.#annotation(this.#parts.at(event['content_index']), event['annotation'])
        return
      default:
      // What begins and ends says nothing that the texts and the whole item do not.
    }
  }

  unread(event: WireObject, length: number): void {
    this.#parts.at(event['content_index']).length += length
  }

  done(item: WireObject): void {
    const content = arrayAt(item['content'], 'item.content')
    for (const [index, element] of content.entries()) {
      const part = objectAt(element, 'item.content[]') ?? {}
      this.#whole(this.#parts.final(index, content.length), part)
    }
    if (item['phase']) {
      this.#context.notes.addOnce('phase_dropped', 'item.phase', 'a message has no phase for the client')
    }
    this.#context.writer.closeBlock()
  }

  #whole(part: Part, { type, text, refusal, annotations }: WireObject): void {
    if (type === 'refusal') {
      this.#noteRefusal()
      this.#rest(part, textAt(refusal, 'item.content[].refusal'))
    } else if (type === 'output_text' || type === 'text') {
      this.#rest(part, textAt(text, 'item.content[].text'))
    } else {
      const message = `a part of the type ${String(type)} was left out`
      this.#context.notes.add('content_dropped', 'item.content[]', message)
    }
    const all = arrayAt(annotations, 'item.content[].annotations')
    for (const annotation of all.slice(part.annotations)) this.#annotation(part, annotation)
  }

  #text(part: Part, text: string): void {
    if (text === '') return
    const { writer } = this.#context
    if (this.#latest !== undefined && this.#latest !== part) writer.closeBlock()
    this.#latest = part
    part.length += text.length
    writer.text(text)
  }

  /** The whole text of a part: what was streamed of it counts, and only where nothing was it is written now. */
  #rest(part: Part, text: string): void {
    if (part.length === 0) this.#text(part, text)
    else if (text !== '' && text.length !== part.length) {
      const message = 'a text is said to be another one than its pieces add up to: the pieces count'
      this.#context.notes.add('text_differs', 'item.content[].text', message)
    }
  }

  #annotation(part: Part, value: unknown): void {
    part.annotations += 1
    const annotation = objectAt(value, 'annotation') ?? {}
    const { type, url, title } = annotation
    if (type !== 'url_citation' || typeof url !== 'string') {
      const message = `an annotation of the type ${String(type)} has no equivalent`
      this.#context.notes.add('annotation_dropped', 'item.content[].annotations', message)
      return
    }
    this.#context.writer.extra({
      type: 'citations_delta',
      citation: {
        type: 'web_search_result_location',
        url,
        title: typeof title === 'string' ? title : null,
        // Only Anthropic's own search knows these; clients want them to be there.
        cited_text: '',
        encrypted_index: '',
      },
    })
  }

  #noteRefusal(): void {
    this.#context.notes.addOnce('refusal_as_text', 'item.content[]', 'words of refusal are told as text')
  }
}
