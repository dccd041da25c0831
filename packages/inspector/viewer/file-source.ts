import type { ExchangeSummary } from '../src/summary/session-summary.ts'
import type { ExchangePage, PageIndex } from '../src/page/page-data.ts'
import { searchText } from '../src/page/search-text.ts'
import type { ListChange, Source } from './source.ts'

/** What the file that the page is in holds, each exchange in an element of its own. */
export class FileSource implements Source {
  readonly isLive = false
  readonly models: readonly string[] = []
  readonly routes: readonly string[] = []
  readonly #pages = new Map<string, ExchangePage>()
  readonly #texts = new Map<string, string>()
  #pieces: readonly string[] | undefined
  #ids: readonly string[] = []

  listen(onChange: (change: ListChange) => void): void {
    const { sessions, exchanges } = dataOf('index') as PageIndex
    this.#ids = exchanges.map(({ id }) => id)
    onChange({ sessions, entries: exchanges, gone: [] })
  }

  async page(id: string): Promise<ExchangePage> {
    this.#pieces ??= dataOf('pieces') as readonly string[]
    return { ...this.#page(id), pieces: this.#pieces }
  }

  async summaries(ids: readonly string[]): Promise<ReadonlyMap<string, ExchangeSummary>> {
    return new Map(ids.map((id) => [id, this.#page(id).summary]))
  }

  watch(): () => void {
    return () => {}
  }

  async search(words: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(this.#ids.filter((id) => words.every((word) => this.#text(id).includes(word))))
  }

  async login(): Promise<boolean> {
    return true
  }

  async again(): Promise<string> {
    return 'a file cannot send anything'
  }

  #text(id: string): string {
    const known = this.#texts.get(id)
    if (known !== undefined) return known
    const text = searchText(this.#page(id).summary)
    this.#texts.set(id, text)
    return text
  }

  #page(id: string): ExchangePage {
    const known = this.#pages.get(id)
    if (known !== undefined) return known
    const page = dataOf(id) as ExchangePage
    this.#pages.set(id, page)
    return page
  }
}

function dataOf(id: string): unknown {
  return JSON.parse(document.querySelector(`#${CSS.escape(id)}`)?.textContent ?? 'null')
}
