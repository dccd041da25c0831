import { searchResults, writeSearch } from '../../decode/web-search.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { WireObject } from '../../json/wire.ts'
import type { DecodeContext } from '../dialect.ts'

const PLACE = 'candidates[0].groundingMetadata'

/** What Google has searched for an answer and found; it is written when the answer is complete. */
export class SearchItem {
  readonly #context: DecodeContext
  #grounding: WireObject = {}

  constructor(context: DecodeContext) {
    this.#context = context
  }

  /** Takes a `groundingMetadata`; most chunks of a stream have an empty one, and some have a part of it. */
  read(grounding: unknown): void {
    if (!isJsonObject(grounding)) return
    for (const [name, value] of Object.entries(grounding)) {
      if (listOf(value).length > 0) this.#grounding = { ...this.#grounding, [name]: value }
    }
  }

  get queries(): readonly string[] {
    return listOf(this.#grounding['webSearchQueries']).filter((query) => typeof query === 'string')
  }

  /** Tells the search as the hub has one: the call of a server's tool, and its result. */
  tell(): void {
    const { writer, notes, messageId } = this.#context
    const { queries } = this
    if (listOf(this.#grounding['groundingSupports']).length > 0)
      notes.addOnce('citations_dropped', PLACE, 'which words rest on which source came too late to be told')
    const sources = listOf(this.#grounding['groundingChunks'])
    const results = queries.length === 0 ? [] : sources.flatMap(resultsIn)
    if (sources.length > results.length)
      notes.addOnce(
        'grounding_dropped',
        PLACE,
        'sources without a search, or without an address, have no place',
      )
    if (queries.length === 0) return
    writeSearch(writer, { id: `${messageId}_search`, query: queries.join(', '), results })
  }
}

function resultsIn(chunk: unknown): ReturnType<typeof searchResults> {
  const web = isJsonObject(chunk) ? (chunk['web'] ?? chunk['maps']) : undefined
  return isJsonObject(web) ? searchResults(web['uri'], web['title']) : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
