import type { ExchangeSummary } from '../src/summary/session-summary.ts'
import type { ExchangePage, ExchangeUpdate } from '../src/page/page-data.ts'
import type { Connection, ListChange, Source } from './source.ts'

/** This many summaries are asked for at once: an address has a length. */
const MAX_IDS = 100
const RETRY = 1500

/** What a running proxy tells. */
export class LiveSource implements Source {
  readonly isLive = true
  models: readonly string[] = []
  routes: readonly string[] = []
  #listen: (() => void) | undefined
  #ids = new Set<string>()

  listen(onChange: (change: ListChange) => void, onConnection: (state: Connection) => void): void {
    const again = (): void => void setTimeout(() => void this.#connect(onChange, onConnection, again), RETRY)
    this.#listen = () => void this.#connect(onChange, onConnection, again)
    this.#listen()
  }

  async page(id: string): Promise<ExchangePage> {
    return (await asked(`api/exchanges/${id}`)) as ExchangePage
  }

  async summaries(ids: readonly string[]): Promise<ReadonlyMap<string, ExchangeSummary>> {
    const found = new Map<string, ExchangeSummary>()
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      const some = ids.slice(from, from + MAX_IDS)
      // oxlint-disable-next-line no-await-in-loop -- one after the other spares the proxy
      const { summaries } = (await asked(`api/summaries?ids=${some.join(',')}`)) as {
        summaries: readonly (ExchangeSummary | null)[]
      }
      for (const [index, id] of some.entries()) {
        const summary = summaries[index]
        if (summary) found.set(id, summary)
      }
    }
    return found
  }

  watch(id: string, onUpdate: (update: ExchangeUpdate) => void): () => void {
    const events = new EventSource(`api/exchanges/${id}/feed`)
    events.addEventListener('exchange', ({ data }) => onUpdate(JSON.parse(String(data)) as ExchangeUpdate))
    // The feed ends with the exchange, and there is nothing to come back for.
    events.addEventListener('error', () => events.close())
    return () => events.close()
  }

  async search(words: readonly string[]): Promise<ReadonlySet<string>> {
    const query = new URLSearchParams({ words: words.join('\n') })
    const { ids } = (await asked(`api/search?${query.toString()}`)) as { ids: readonly string[] }
    return new Set(ids)
  }

  async login(key: string): Promise<boolean> {
    const answer = await sent('api/login', { key })
    if (answer.ok) this.#listen?.()
    return answer.ok
  }

  async again(
    id: string,
    to: { readonly model: string; readonly route: string },
  ): Promise<string | undefined> {
    const answer = await sent(`api/exchanges/${id}/again`, { ...to })
    if (answer.ok) return undefined
    return ((await answer.json()) as { error?: string }).error ?? `status ${answer.status}`
  }

  async #connect(
    onChange: (change: ListChange) => void,
    onConnection: (state: Connection) => void,
    again: () => void,
  ): Promise<void> {
    const answer = await fetch('api/session').catch(() => undefined)
    if (answer?.status === 401) return onConnection('key')
    if (answer?.ok !== true) {
      onConnection('lost')
      return again()
    }
    const { models, routes } = (await answer.json()) as Pick<Source, 'models' | 'routes'>
    this.models = models
    this.routes = routes
    // A proxy that was started anew has other exchanges under the same names.
    if (this.#ids.size > 0) onChange({ sessions: [], entries: [], gone: [...this.#ids] })
    this.#ids = new Set()
    const events = new EventSource('api/feed')
    events.addEventListener('open', () => onConnection('open'))
    events.addEventListener('list', ({ data }) => {
      const change = JSON.parse(String(data)) as ListChange
      for (const { id } of change.entries) this.#ids.add(id)
      for (const id of change.gone) this.#ids.delete(id)
      onChange(change)
    })
    events.addEventListener('error', () => {
      events.close()
      onConnection('lost')
      again()
    })
  }
}

async function asked(path: string): Promise<unknown> {
  const answer = await fetch(path)
  if (answer.ok) return answer.json()
  const { error } = (await answer.json()) as { error?: string }
  throw new Error(error ?? `status ${answer.status}`)
}

function sent(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
}
