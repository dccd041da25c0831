import type { ExchangePage, PageIndex } from '../page-data.ts'
import type { PageDocument, PageElement, PageEvent, PageWindow, ViewerFunctions } from './dom.ts'
import type { List, ListItem } from './list.ts'
import type { Tools } from './tools.ts'

/** The parts that the viewer is put together from. */
export interface ViewerParts {
  readonly tools: Tools
  readonly makeList: (tools: Tools, index: PageIndex, choose: (item: ListItem) => void) => List
  readonly panels: readonly ((tools: Tools, page: ExchangePage) => PageElement)[]
}

/** Where the viewer is: what is listed, what of it the filter leaves, and what is looked at. */
interface View {
  readonly list: List
  readonly main: PageElement
  current: ListItem | undefined
  choose(item: ListItem | undefined): void
}

/** Fills the page and listens to the keys. Only the exchange that is looked at is drawn. */
export function startViewer(
  page: PageDocument,
  browser: PageWindow,
  { tools, makeList, panels }: ViewerParts,
): void {
  const find = (id: string): PageElement => page.getElementById(id) as PageElement
  const main = find('main')
  const choose = (item: ListItem | undefined): void => {
    if (item === undefined || item === view.current) return
    markCurrent(view.current, item)
    view.current = item
    main.replaceChildren(...draw(tools, panels, item))
    browser.scrollTo({ top: 0 })
    page.title = `${item.session.name}, exchange ${item.entry.number}`
    browser.history.replaceState(null, '', `#${item.entry.id}`)
  }
  const list = makeList(tools, tools.data('index') as PageIndex, choose)
  const view: View = { list, main, current: undefined, choose }
  find('list').append(...list.nodes)
  listenToFilter(find('filter'), find('filter-count'), view)
  find('show-keys').addEventListener('click', () => find('keys').showModal())
  find('hide-keys').addEventListener('click', () => find('keys').close())
  page.addEventListener('keydown', (event) => pressed(event, view, find))
  choose(list.items.find(({ entry }) => `#${entry.id}` === browser.location.hash) ?? list.items[0])
  if (list.items.length === 0) main.append(tools.make('p', 'muted', 'There is no exchange on these tapes.'))
}

function markCurrent(before: ListItem | undefined, item: ListItem): void {
  before?.button.removeAttribute('aria-current')
  if (before !== undefined) before.button.tabIndex = -1
  item.button.setAttribute('aria-current', 'true')
  item.button.tabIndex = 0
  item.button.scrollIntoView({ block: 'nearest' })
}

function draw(tools: Tools, panels: ViewerParts['panels'], { entry, session }: ListItem): PageElement[] {
  const { make, data } = tools
  const page = data(entry.id) as ExchangePage
  return [
    make('h2', '', `Exchange ${entry.number} of ${session.name}`),
    ...panels.map((panel) => panel(tools, page)),
  ]
}

function listenToFilter(filter: PageElement, count: PageElement, { list }: View): void {
  filter.addEventListener('input', () => {
    const word = filter.value.toLowerCase()
    for (const { row, entry } of list.items) {
      row.hidden = !`${entry.number} ${entry.title} ${entry.kind}`.toLowerCase().includes(word)
    }
    const left = list.items.filter(({ row }) => !row.hidden).length
    count.textContent = word === '' ? '' : `${left} of ${list.items.length}`
  })
}

function pressed(event: PageEvent, view: View, find: (id: string) => PageElement): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input')) return
  if (find('keys').open) return
  const isInList = event.target.closest('#list') !== null
  const act = actionOf(event.key, isInList, view, find)
  if (act === undefined) return
  event.preventDefault()
  act()
}

function actionOf(
  key: string,
  isInList: boolean,
  view: View,
  find: (id: string) => PageElement,
): (() => void) | undefined {
  const moves: Record<string, number> = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }
  const movesInList: Record<string, number> = {
    ...moves,
    ArrowDown: 1,
    ArrowUp: -1,
    Home: -Infinity,
    End: Infinity,
  }
  const step = (isInList ? movesInList : moves)[key]
  if (step !== undefined) return () => move(view, step, isInList)
  switch (key) {
    case '?':
      return () => find('keys').showModal()
    case '/':
      return () => find('filter').focus()
    case 'l':
      return () => view.current?.button.focus()
    case 'e':
      return () => toggleEvents(view.main)
    case 'Enter':
      return isInList ? () => view.main.focus() : undefined
    default:
      return undefined
  }
}

function move(view: View, step: number, isInList: boolean): void {
  const items = view.list.items.filter(({ row }) => !row.hidden)
  const from = items.findIndex((item) => item === view.current)
  view.choose(items[Math.max(0, Math.min(items.length - 1, from + step))])
  if (isInList) view.current?.button.focus()
}

function toggleEvents(main: PageElement): void {
  const folds = [...main.querySelectorAll('.event-row details')]
  const willOpen = folds.some((fold) => !fold.open)
  for (const fold of folds) fold.open = willOpen
}

/** The functions of this file, in the form in which the page gets them. */
export const START_FUNCTIONS: ViewerFunctions = [
  startViewer,
  markCurrent,
  draw,
  listenToFilter,
  pressed,
  actionOf,
  move,
  toggleEvents,
]
