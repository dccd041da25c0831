import type { ExchangeEntry, PageIndex, SessionEntry } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** A button of the list, and where it leads. */
export interface ListItem {
  readonly entry: ExchangeEntry
  readonly session: SessionEntry
  readonly button: PageElement
  readonly row: PageElement
}

/** The list of sessions and exchanges: what is in it, and its items in order. */
export interface List {
  readonly nodes: readonly PageElement[]
  readonly items: readonly ListItem[]
}

/** Makes the list; `choose` is called with what was clicked. */
export function makeList(tools: Tools, { sessions }: PageIndex, choose: (item: ListItem) => void): List {
  const { make } = tools
  const items: ListItem[] = []
  const nodes = sessions.map((session) => {
    const rows = session.exchanges.map((entry) => {
      const button = entryButton(tools, entry)
      const item = { entry, session, button, row: make('li', '', button) }
      button.addEventListener('click', () => choose(item))
      items.push(item)
      return item.row
    })
    return make(
      'section',
      'session',
      make('h2', '', session.name),
      make('p', 'muted', sessionWords(tools, session)),
      ...session.problems.map(({ line, reason }) =>
        make('p', 'alert', line === 0 ? reason : `line ${line}: ${reason}`),
      ),
      make('ol', '', ...rows),
    )
  })
  return { nodes, items }
}

function sessionWords({ span }: Tools, { header, duration, exchanges }: SessionEntry): string {
  const words = [
    header.client ?? 'unknown client',
    ...(header.session === undefined ? [] : [`session ${header.session}`]),
    header.started,
    span(duration),
    `${exchanges.length} exchange${exchanges.length === 1 ? '' : 's'}`,
    ...(header.imported === undefined
      ? []
      : [`imported from ${header.imported.from}, without: ${header.imported.lacks.join('; ')}`]),
  ]
  return words.join(' · ')
}

function entryButton(
  { make, span }: Tools,
  { number, title, kind, span: took, notes }: ExchangeEntry,
): PageElement {
  const signs = { clean: '●', error: '▲', aborted: '■', interrupted: '◆' }
  const sign = make('span', `mark ${kind}`, signs[kind])
  sign.setAttribute('aria-hidden', 'true')
  const count = notes === 0 ? '' : ` · ${notes} note${notes === 1 ? '' : 's'}`
  const button = make(
    'button',
    'entry',
    sign,
    make('span', 'number', String(number)),
    make('span', 'title', title),
    make('span', 'meta', `${kind === 'clean' ? '' : `${kind} · `}${span(took)}${count}`),
  )
  button.setAttribute('type', 'button')
  // One item of the list is in the order of Tab; the arrow keys move within it.
  button.tabIndex = -1
  return button
}

/** The functions of this file, in the form in which the page gets them. */
export const LIST_FUNCTIONS: ViewerFunctions = [makeList, sessionWords, entryButton]
