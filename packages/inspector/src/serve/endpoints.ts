import { type Exchange, INSPECTOR_PATH, type InspectedGateway } from '@hydra/gateway'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import { viewerBundle } from '../bundle/viewer-bundle.ts'
import type { LiveReader } from '../live/live-reader.ts'
import type { TapeLibrary } from '../live/tape-library.ts'
import { checkAccess, cookieFor, mayOpenPage } from './access.ts'
import { sendDownload } from './downloads.ts'
import { ExchangeFeed } from './exchange-feed.ts'
import { Feed } from './feed.ts'
import { ListFeed } from './list-feed.ts'
import { headersFor, sendJson, sendPage, sendProblem, sendText } from './respond.ts'
import { sendAgain } from './send-again.ts'

/** What is shown. */
export interface Shown {
  readonly reader: LiveReader
  readonly library: TapeLibrary | undefined
  readonly onLook?: (() => void) | undefined
}

/** The longest body of a request to the inspector, in bytes. */
const MAX_BODY = 64 * 1024

const DOWNLOADS: ReadonlySet<string> = new Set(['request', 'tape', 'html'])

function nothing(): void {}

/** This many pages may look at once. */
const MAX_FEEDS = 64

/** Answers the requests of pages. */
export class Endpoints {
  readonly #shown: Shown
  readonly #feeds = new Set<Feed>()

  constructor(shown: Shown) {
    this.#shown = shown
  }

  async answer(exchange: Exchange, gateway: InspectedGateway): Promise<void> {
    const path = exchange.path.slice(INSPECTOR_PATH.length)
    if (!exchange.path.startsWith(INSPECTOR_PATH)) return redirect(exchange)
    if (!mayOpenPage(exchange, gateway)) return refuseHost(exchange, gateway)
    if (exchange.method === 'GET' && (await this.#sendFile(exchange, path))) return
    const access = checkAccess(exchange, gateway)
    if (path === 'api/login' && access.verdict !== 'refused') return login(exchange, gateway)
    if (access.verdict !== 'allowed') {
      sendProblem(exchange, access.verdict === 'key' ? 401 : 403, access.reason)
      return
    }
    this.#shown.onLook?.()
    await this.#answerApi(exchange, path, gateway)
  }

  close(): void {
    for (const feed of this.#feeds) feed.end()
  }

  async #sendFile(exchange: Exchange, path: string): Promise<boolean> {
    if (path === '') sendPage(exchange)
    else if (path === 'viewer.js') sendText(exchange, 'text/javascript', (await viewerBundle()).script)
    else if (path === 'viewer.css') sendText(exchange, 'text/css', (await viewerBundle()).styles)
    else return false
    return true
  }

  async #answerApi(exchange: Exchange, path: string, gateway: InspectedGateway): Promise<void> {
    const { method } = exchange
    const [, id, part = ''] = /^api\/exchanges\/([\w-]+)(?:\/(\w+))?$/.exec(path) ?? []
    if (method === 'POST' && id !== undefined && part === 'again') return this.#again(exchange, id, gateway)
    if (method !== 'GET') return notThere(exchange)
    if (id !== undefined) return this.#answerExchange(exchange, id, part)
    return this.#answerList(exchange, path, gateway)
  }

  async #answerList(exchange: Exchange, path: string, gateway: InspectedGateway): Promise<void> {
    const query = new URLSearchParams(exchange.query)
    if (path === 'api/session') return sendJson(exchange, { routes: gateway.routes, models: gateway.models })
    if (path === 'api/feed') return this.#listFeed(exchange)
    if (path === 'api/search') return this.#search(exchange, query.get('words') ?? '')
    if (path === 'api/summaries') return this.#summaries(exchange, query.get('ids') ?? '')
    notThere(exchange)
  }

  async #answerExchange(exchange: Exchange, id: string, part: string): Promise<void> {
    if (part === '') return this.#page(exchange, id)
    if (part === 'feed') return this.#exchangeFeed(exchange, id)
    if (DOWNLOADS.has(part)) return this.#download(exchange, id, part)
    notThere(exchange)
  }

  async #download(exchange: Exchange, id: string, part: string): Promise<void> {
    const { reader } = this.#shown
    const live = reader.find(id)
    if (live === undefined) return sendProblem(exchange, 404, 'this exchange is not kept any more')
    await reader.prepare(live)
    await sendDownload(exchange, { part, live, reader })
  }

  #listFeed(exchange: Exchange): void {
    const { reader, library } = this.#shown
    let stop = nothing
    const feed = this.#feed(exchange, () => stop())
    if (feed === undefined) return
    const list = new ListFeed(feed)
    let isOver = false
    const unlisten = reader.listen(list)
    list.flush()
    stop = () => {
      isOver = true
      unlisten()
      list.stop()
    }
    void library?.list(list, () => isOver)
  }

  async #exchangeFeed(exchange: Exchange, id: string): Promise<void> {
    const { reader } = this.#shown
    const live = reader.find(id)
    if (live === undefined) return notThere(exchange)
    await reader.prepare(live)
    let stop = nothing
    const feed = this.#feed(exchange, () => stop())
    if (feed === undefined) return
    const changes = new ExchangeFeed(feed, reader, live)
    stop = () => changes.stop()
  }

  #feed(exchange: Exchange, stop: () => void): Feed | undefined {
    if (this.#feeds.size >= MAX_FEEDS) {
      sendProblem(exchange, 503, `${MAX_FEEDS} feeds are open already`)
      return undefined
    }
    const feed: Feed = new Feed(exchange, () => {
      this.#feeds.delete(feed)
      stop()
    })
    this.#feeds.add(feed)
    return feed
  }

  async #search(exchange: Exchange, words: string): Promise<void> {
    const { reader, library } = this.#shown
    await reader.prepareAll()
    const wanted = words.toLowerCase().split('\n').filter(Boolean)
    sendJson(exchange, { ids: [...reader.search(wanted), ...(library?.search(wanted) ?? [])] })
  }

  async #summaries(exchange: Exchange, ids: string): Promise<void> {
    const summaries: (ExchangeSummary | null)[] = []
    // oxlint-disable-next-line no-await-in-loop -- they belong to one conversation, and are read in its order
    for (const id of ids.split(',')) summaries.push((await this.#summary(id)) ?? null)
    sendJson(exchange, { summaries })
  }

  async #summary(id: string): Promise<ExchangeSummary | undefined> {
    const { reader, library } = this.#shown
    const live = reader.find(id)
    if (live === undefined) return library?.summary(id)
    await reader.prepare(live)
    return reader.read(live)?.summary
  }

  async #page(exchange: Exchange, id: string): Promise<void> {
    const { reader, library } = this.#shown
    const live = reader.find(id)
    if (live !== undefined) await reader.prepare(live)
    const page = live === undefined ? library?.page(id) : reader.page(live)
    if (page === undefined) sendProblem(exchange, 404, 'this exchange is not kept any more')
    else sendJson(exchange, page)
  }

  async #again(exchange: Exchange, id: string, gateway: InspectedGateway): Promise<void> {
    const live = this.#shown.reader.find(id)
    if (live === undefined) return sendProblem(exchange, 404, 'this exchange is not kept any more')
    const { model = '', route = '' } = await readFields(exchange)
    await sendAgain(exchange, { live, model, route }, gateway)
  }
}

async function login(exchange: Exchange, gateway: InspectedGateway): Promise<void> {
  const { key = '' } = await readFields(exchange)
  const cookie = cookieFor(key, gateway)
  if (cookie === undefined) return sendProblem(exchange, 401, 'that is not the key')
  exchange.reply.head(200, { ...headersFor('application/json'), 'set-cookie': cookie })
  exchange.reply.end('{}')
}

/** The texts of a JSON body; a form on a page of another site cannot send one. */
async function readFields(exchange: Exchange): Promise<Readonly<Record<string, string>>> {
  const body = await exchange.readBody(MAX_BODY)
  try {
    const value: unknown = 'value' in body ? body.value : JSON.parse(new TextDecoder().decode(body.bytes))
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === 'string'),
    )
  } catch {
    return {}
  }
}

function redirect({ reply }: Exchange): void {
  reply.head(308, { ...headersFor('text/plain'), location: '_hydra/' })
  reply.end()
}

function refuseHost(exchange: Exchange, gateway: InspectedGateway): void {
  const access = checkAccess(exchange, gateway)
  sendProblem(exchange, 403, access.verdict === 'allowed' ? '' : access.reason)
}

function notThere(exchange: Exchange): void {
  sendProblem(exchange, 404, `${exchange.method} ${exchange.path}: there is no such endpoint`)
}
