import type { HubContentBlock } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { parseInput } from '../../stream/collect.ts'
import { fieldsOf } from './event-output.ts'
import { closeItem, type ItemPlace, type ItemStatus, type ItemWriter, openItem } from './item-writers.ts'
import type { OutputItem } from './wire.ts'

type Search = Extract<OutputItem, { type: 'web_search_call' }>
type SearchResult = Extract<HubContentBlock, { type: 'web_search_tool_result' }>

/** Writes a search of the web that the model's server made. */
export class SearchWriter implements ItemWriter {
  readonly #place: ItemPlace
  #json = ''
  #sources: string[] = []
  #failed = false

  constructor(place: ItemPlace) {
    this.#place = place
    openItem(place, this.#item('in_progress'))
    this.#tell('in_progress')
    this.#tell('searching')
  }

  delta(piece: string): void {
    this.#json += piece
  }

  /** What the search found. */
  found({ content }: SearchResult): void {
    if (Array.isArray(content)) this.#sources = content.map(({ url }) => url)
    else this.#failed = true
  }

  close(status: ItemStatus): OutputItem {
    if (status === 'completed' && !this.#failed) this.#tell('completed')
    return closeItem(this.#place, this.#item(this.#failed ? 'failed' : status))
  }

  #tell(step: string): void {
    const { out, id, index } = this.#place
    out.event(`response.web_search_call.${step}`, fieldsOf({ output_index: index, item_id: id }))
  }

  #item(status: Search['status']): Search {
    const input = parseInput(this.#json)
    const query = isJsonObject(input) && typeof input['query'] === 'string' ? input['query'] : ''
    const sources = this.#sources.map((url) => ({ type: 'url' as const, url }))
    return {
      type: 'web_search_call',
      id: this.#place.id,
      status,
      action: { type: 'search', query, ...(sources.length > 0 && { sources }) },
    }
  }
}
