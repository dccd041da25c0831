import type { BlockWriter } from '../stream/block-writer.ts'

/** One page that a search has found. */
interface SearchResult {
  readonly type: 'web_search_result'
  readonly url: string
  readonly title: string
  readonly encrypted_content: string
  readonly page_age: null
}

/** A page by its address, with its title where it has one; none where it has no address. */
export function searchResults(url: unknown, title: unknown): SearchResult[] {
  if (typeof url !== 'string') return []
  const shown = typeof title === 'string' && title !== '' ? title : url
  return [{ type: 'web_search_result', url, title: shown, encrypted_content: '', page_age: null }]
}

/** A search that an upstream ran by itself. */
interface Search {
  /** What tells it from other searches. */
  readonly id: string
  readonly query: string
  readonly results: SearchResult[]
}

/** Writes a search in the hub's form: the call of a server's tool, and its result. */
export function writeSearch(writer: BlockWriter, { id: raw, query, results: content }: Search): void {
  const id = `srvtoolu_${raw.replaceAll(/\W/g, '_')}`
  writer.begin({ type: 'server_tool_use', id, name: 'web_search' })
  writer.inputJson(JSON.stringify({ query }))
  writer.closeBlock()
  writer.begin({
    type: 'whole',
    block: { type: 'web_search_tool_result', tool_use_id: id, content, caller: { type: 'direct' } },
  })
  writer.closeBlock()
}
