import { type WireObject, arrayAt, objectAt, textAt } from '../../json/wire.ts'
import type { ItemTeller } from './items.ts'
import type { ResponsesContext } from './profile.ts'

/** The name under which the hub knows the search. */
const SEARCH = 'web_search'

/** A search that the provider ran: the hub's own call of a server tool, and its result. */
export class SearchItem implements ItemTeller {
  readonly #context: ResponsesContext

  constructor(context: ResponsesContext) {
    this.#context = context
  }

  event(): void {
    // That a search begins and goes on is told by the item when it is complete.
  }

  done(item: WireObject): void {
    const action = objectAt(item['action'], 'item.action') ?? {}
    const query = queryOf(action)
    if (query === '') {
      const message = `what the search did (${String(action['type'])}) has no equivalent and was left out`
      this.#context.notes.addOnce('search_step_ignored', 'item.action', message)
      return
    }
    const { writer } = this.#context
    const id = `srvtoolu_${textAt(item['id'], 'item.id').replaceAll(/\W/g, '_')}`
    writer.begin({ type: 'server_tool_use', id, name: SEARCH })
    writer.inputJson(JSON.stringify({ query }))
    writer.closeBlock()
    const content = arrayAt(action['sources'], 'item.action.sources').flatMap(resultsIn)
    writer.begin({
      type: 'whole',
      block: { type: 'web_search_tool_result', tool_use_id: id, content, caller: { type: 'direct' } },
    })
    writer.closeBlock()
  }
}

function queryOf(action: WireObject): string {
  if (action['type'] !== 'search') return ''
  const queries = arrayAt(action['queries'], 'item.action.queries').filter(
    (query) => typeof query === 'string',
  )
  return textAt(action['query'], 'item.action.query') || queries.join(', ')
}

interface SearchResult {
  readonly type: 'web_search_result'
  readonly url: string
  readonly title: string
  readonly encrypted_content: string
  readonly page_age: null
}

function resultsIn(source: unknown): SearchResult[] {
  const { url, title } = objectAt(source, 'item.action.sources[]') ?? {}
  if (typeof url !== 'string') return []
  const shown = typeof title === 'string' && title !== '' ? title : url
  return [{ type: 'web_search_result', url, title: shown, encrypted_content: '', page_age: null }]
}
