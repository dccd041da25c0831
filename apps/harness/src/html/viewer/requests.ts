import type { ExchangePage, HeadView, RequestPart, RequestView } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** The request as the client sent it, and as the upstream got it. */
export function requestsPanel(tools: Tools, { requests }: ExchangePage): PageElement {
  const { make, section } = tools
  if (requests.length === 0) return section('Requests', make('p', 'muted', 'No request is on the tape.'))
  return section('Requests', make('div', 'pair', ...requests.map((request) => requestNode(tools, request))))
}

function requestNode(tools: Tools, { title, side, line, parts }: RequestView): PageElement {
  const { make } = tools
  return make(
    'div',
    `side ${side}`,
    make('h4', '', title),
    make('p', '', make('code', '', line)),
    ...(parts.length === 0 ? [make('p', 'muted', 'without a body')] : []),
    ...partNodes(tools, parts),
  )
}

/** The last parts; the earlier ones of a long history are made when somebody asks for them. */
function partNodes(tools: Tools, parts: readonly RequestPart[]): PageElement[] {
  const { make, fold } = tools
  const shown = 40
  const early = parts.slice(0, -shown)
  const late = parts.slice(-shown).map((part) => partNode(tools, part))
  if (early.length === 0) return late
  const content = (): PageElement => make('div', '', ...early.map((part) => partNode(tools, part)))
  return [fold([make('span', 'hint', `${early.length} earlier parts`)], content), ...late]
}

function partNode({ make, fold, piece: pieceAt }: Tools, { label, piece }: RequestPart): PageElement {
  return fold([make('span', 'event-name', label)], () => make('pre', '', pieceAt(piece)))
}

/** The headers of all legs. */
export function headsPanel(tools: Tools, { heads }: ExchangePage): PageElement {
  const { make, section } = tools
  return section('Headers', make('div', 'pair', ...heads.map((head) => headNode(tools, head))))
}

function headNode({ make }: Tools, { title, line, headers }: HeadView): PageElement {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const text = lines.length === 0 ? '(no header of the list that is recorded)' : lines.join('\n')
  return make(
    'div',
    'side',
    make('h4', '', title),
    make('p', '', make('code', '', line)),
    make('pre', '', text),
  )
}

/** The functions of this file, in the form in which the page gets them. */
export const REQUEST_FUNCTIONS: ViewerFunctions = [
  requestsPanel,
  requestNode,
  partNodes,
  partNode,
  headsPanel,
  headNode,
]
