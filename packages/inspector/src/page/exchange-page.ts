import type { TapedAnswer, TapedCall, TapedExchange, TapedRequest } from '@hydra/tape'
import type { ExchangeSummary } from '../summary/session-summary.ts'
import { eventRows } from './event-rows.ts'
import type { ContextView, ExchangePage, HeadView, Lane, RequestView, TimeMark } from './page-data.ts'
import { type PieceTable, requestParts } from './request-parts.ts'

/** What a page is made of beside the exchange itself. */
export interface PageSources {
  /** Where the parts of requests are kept. */
  readonly table: PieceTable
  readonly context?: ContextView | undefined
}

/** Gathers what the page shows of one exchange. */
export function exchangePage(
  exchange: TapedExchange,
  summary: ExchangeSummary,
  sources: PageSources,
): ExchangePage {
  const { table, context } = sources
  return {
    summary,
    context,
    rows: eventRows(exchange),
    lanes: lanesOf(exchange),
    marks: marksOf(exchange, summary),
    requests: requestsOf(exchange, table),
    heads: headsOf(exchange),
  }
}

/** How much came over both legs, and when. */
export function lanesOf({ calls, answer }: TapedExchange): Lane[] {
  return [
    { name: 'upstream', chunks: calls.flatMap((call) => chunksOf(call.answer)) },
    { name: 'client', chunks: chunksOf(answer) },
  ]
}

function chunksOf({ chunks }: TapedAnswer): Lane['chunks'] {
  return chunks.map(({ at, bytes }) => [at, bytes.length] as const)
}

function marksOf({ request, calls }: TapedExchange, { times }: ExchangeSummary): TimeMark[] {
  const marks = [
    { at: request?.at, label: 'request' },
    ...calls.map((call, index) => ({
      at: call.request.at,
      label: calls.length === 1 ? 'upstream called' : `call ${index + 1}`,
    })),
    { at: times.head, label: 'head' },
    { at: times.firstToken, label: 'first token' },
    { at: times.over, label: 'over' },
  ]
  return marks.flatMap(({ at, label }) => (at === undefined ? [] : [{ at, label }]))
}

function requestsOf({ request, calls }: TapedExchange, table: PieceTable): RequestView[] {
  return [
    ...(request === undefined ? [] : [requestView('The client asked', 'client', request, table)]),
    ...calls.map((call, index) => requestView(titleOf(call, index), 'upstream', call.request, table)),
  ]
}

function titleOf({ via }: TapedCall, index: number): string {
  return `The upstream was asked${index === 0 ? '' : ` again (${index + 1})`}${via === undefined ? '' : `: ${via.upstream}`}`
}

function requestView(
  title: string,
  side: RequestView['side'],
  request: TapedRequest,
  table: PieceTable,
): RequestView {
  return { title, side, line: `${request.method} ${request.path}`, parts: requestParts(request, table) }
}

function headsOf({ request, calls, answer }: TapedExchange): HeadView[] {
  return [
    ...(request === undefined ? [] : [requestHead('Client to proxy', request)]),
    ...calls.flatMap((call) => [
      requestHead('Proxy to upstream', call.request),
      ...answerHead('Upstream to proxy', call.answer),
    ]),
    ...answerHead('Proxy to client', answer),
  ]
}

function requestHead(title: string, { method, path, headers }: TapedRequest): HeadView {
  return { title, line: `${method} ${path}`, headers }
}

function answerHead(title: string, { status, headers }: TapedAnswer): HeadView[] {
  return status === undefined ? [] : [{ title, line: `status ${status}`, headers }]
}
