import { searchResults, writeSearch } from '../../decode/web-search.ts'
import { type WireObject, arrayAt, objectAt, textAt } from '../../json/wire.ts'
import type { ItemTeller } from './items.ts'
import type { ResponsesContext } from './profile.ts'

/** A search that the provider ran: the hub's own call of a server tool, and its result. */
export class SearchItem implements ItemTeller {
  readonly #context: ResponsesContext

  constructor(context: ResponsesContext) {
    this.#context = context
  }

  event(): void {
    // That a search begins and goes on is written with the item when it is complete.
  }

  done(item: WireObject): void {
    const action = objectAt(item['action'], 'item.action') ?? {}
    const query = queryOf(action)
    if (query === '') {
      const message = `what the search did (${String(action['type'])}) has no equivalent and was left out`
      this.#context.notes.addOnce('search_step_ignored', 'item.action', message)
      return
    }
    const results = arrayAt(action['sources'], 'item.action.sources').flatMap(resultsIn)
    writeSearch(this.#context.writer, { id: textAt(item['id'], 'item.id'), query, results })
  }
}

function queryOf(action: WireObject): string {
  if (action['type'] !== 'search') return ''
  const queries = arrayAt(action['queries'], 'item.action.queries').filter(
    (query) => typeof query === 'string',
  )
  return textAt(action['query'], 'item.action.query') || queries.join(', ')
}

function resultsIn(source: unknown): ReturnType<typeof searchResults> {
  const { url, title } = objectAt(source, 'item.action.sources[]') ?? {}
  return searchResults(url, title)
}
