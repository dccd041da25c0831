import type { HubContentBlock, HubDelta } from '../../hub/message.ts'
import { isJsonObject } from '../../json/json-object.ts'

type Citation = Extract<HubDelta, { type: 'citations_delta' }>['citation']
type SearchResult = Extract<HubContentBlock, { type: 'web_search_tool_result' }>

interface Support {
  readonly segment: { readonly startIndex?: number; readonly endIndex: number; readonly text: string }
  readonly groundingChunkIndices: readonly number[]
}

const encoder = new TextEncoder()

/** Gathers what an answer was found with, in the form in which Google tells it: at the end, with offsets in bytes. */
export class Grounding {
  readonly #queries: string[] = []
  readonly #titles = new Map<string, string>()
  readonly #supports: Support[] = []
  #cited: string[] = []
  #offset = 0

  /** The input of a search. */
  searched(input: unknown): void {
    const query = isJsonObject(input) ? input['query'] : undefined
    if (typeof query === 'string' && query !== '') this.#queries.push(query)
  }

  found({ content }: SearchResult): void {
    if (!Array.isArray(content)) return
    for (const { url, title } of content) if (!this.#titles.has(url)) this.#titles.set(url, title)
  }

  /** Whether a citation names a page of the web. */
  cite(citation: Citation): boolean {
    if (citation.type !== 'web_search_result_location') return false
    if (!this.#titles.has(citation.url)) this.#titles.set(citation.url, citation.title ?? citation.url)
    this.#cited.push(citation.url)
    return true
  }

  /** A text block has ended. */
  said(text: string): void {
    const length = encoder.encode(text).length
    const urls = [...this.#titles.keys()]
    const indices = [...new Set(this.#cited.map((url) => urls.indexOf(url)))]
    if (indices.length > 0) {
      const start = this.#offset > 0 ? { startIndex: this.#offset } : {}
      const segment = { ...start, endIndex: this.#offset + length, text }
      this.#supports.push({ segment, groundingChunkIndices: indices })
    }
    this.#cited = []
    this.#offset += length
  }

  /** The field of a candidate, if there is anything to tell. */
  get fields(): { groundingMetadata?: object } {
    if (this.#queries.length === 0 && this.#titles.size === 0) return {}
    const chunks = [...this.#titles].map(([uri, title]) => ({ web: { uri, title } }))
    return {
      groundingMetadata: {
        ...(this.#queries.length > 0 && { webSearchQueries: this.#queries }),
        ...(chunks.length > 0 && { groundingChunks: chunks }),
        ...(this.#supports.length > 0 && { groundingSupports: this.#supports }),
      },
    }
  }
}
