import type { EventRow, EventView, ExchangePage } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** The two dialects side by side, event by event. */
export function eventsPanel(tools: Tools, { rows, account }: ExchangePage): PageElement {
  const { make, section } = tools
  const begun = account.times.begun
  const body = make('div', 'event-rows')
  const more = make('button', 'more', '')
  let shown = 0
  const showMore = (): void => {
    // So many rows at a time stay quick to draw.
    const next = rows.slice(shown, shown + 200)
    body.append(...next.map((row) => rowNode(tools, row, begun)))
    shown += next.length
    more.textContent = `Show more (${rows.length - shown} moments left)`
    more.hidden = shown >= rows.length
  }
  more.addEventListener('click', showMore)
  showMore()
  const head = make(
    'div',
    'event-row head',
    make('span', '', 'after'),
    make('span', '', 'from the upstream'),
    make('span', '', 'to the client'),
  )
  const none = rows.length === 0 ? [make('p', 'muted', 'No bytes came over either leg.')] : [head, body]
  return section('Events', ...none, more)
}

function rowNode(tools: Tools, { at, upstream, client }: EventRow, begun: number): PageElement {
  const { make, span } = tools
  return make(
    'div',
    'event-row',
    make('span', 'when', span(at - begun)),
    make('div', 'side upstream', ...upstream.map((event) => eventNode(tools, event))),
    make('div', 'side client', ...client.map((event) => eventNode(tools, event))),
  )
}

function eventNode({ make, fold }: Tools, { name, hint, data, cut }: EventView): PageElement {
  const parts = [
    ...(name === '' ? [] : [make('span', 'event-name', name)]),
    ...(cut === true ? [make('span', 'badge error', 'cut off')] : []),
    make('span', 'hint', hint),
  ]
  return fold(parts, () => make('pre', '', indented(data)))
}

function indented(data: string): string {
  try {
    return JSON.stringify(JSON.parse(data), undefined, 2)
  } catch {
    return data
  }
}

/** The functions of this file, in the form in which the page gets them. */
export const EVENT_FUNCTIONS: ViewerFunctions = [eventsPanel, rowNode, eventNode, indented]
