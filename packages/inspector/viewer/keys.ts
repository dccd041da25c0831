import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Tab, TABS } from './exchange-view.tsx'
import { idOf } from './list.tsx'
import type { Row } from './rows.ts'

/** What keys act on. */
export interface Keyed {
  readonly rows: readonly Row[]
  readonly current: string
  readonly select: (id: string) => void
  readonly onTab: (tab: Tab) => void
  readonly help: RefObject<HTMLDialogElement | null>
}

/** Everything that can be done with the mouse can be done with keys. */
export function useKeys(keyed: Keyed): void {
  const latest = useRef(keyed)
  latest.current = keyed
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { help, select } = latest.current
      if (event.ctrlKey || event.metaKey || event.altKey || help.current?.open === true) return
      if (isTaken(event)) return
      // The next key may come before what this one changes is drawn.
      const selecting = (id: string): void => {
        latest.current = { ...latest.current, current: id }
        select(id)
      }
      if (act(event.key, { ...latest.current, select: selecting })) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Whether what has the focus does something with the key itself: it is typed into, chosen from or scrolled. */
function isTaken({ key, target }: KeyboardEvent): boolean {
  if (target instanceof HTMLSelectElement) return true
  if (target instanceof HTMLElement && target.matches('.table-box, pre')) return key.startsWith('Arrow')
  if (!(target instanceof HTMLInputElement)) return false
  // In any other field, Enter sends its form.
  if (target.type === 'search' && (key === 'Escape' || key === 'Enter')) target.blur()
  return true
}

type Act = (keyed: Keyed) => void

const ACTS: Readonly<Record<string, Act>> = {
  j: (keyed) => move(keyed, 1),
  ArrowRight: (keyed) => move(keyed, 1),
  k: (keyed) => move(keyed, -1),
  ArrowLeft: (keyed) => move(keyed, -1),
  '/': () => focus('#filter'),
  l: () => focus('.row[aria-current], .row'),
  m: () => focus('#main'),
  e: toggleAll,
  '?': ({ help }) => help.current?.showModal(),
}

/** What keys do only while the list has the focus: elsewhere they scroll. */
const LIST_ACTS: Readonly<Record<string, Act>> = {
  ArrowDown: (keyed) => move(keyed, 1, 'all'),
  ArrowUp: (keyed) => move(keyed, -1, 'all'),
  Home: (keyed) => jump(keyed, 0),
  End: (keyed) => jump(keyed, -1),
}

/** Among tabs, arrows go from one to the next. */
const TAB_ACTS: Readonly<Record<string, Act>> = {
  ArrowRight: () => moveTab(1),
  ArrowLeft: () => moveTab(-1),
}

function act(key: string, keyed: Keyed): boolean {
  const { activeElement } = document
  const isInList = activeElement?.classList.contains('row') === true
  const isInTabs = activeElement?.getAttribute('role') === 'tab'
  const found = (isInTabs ? TAB_ACTS[key] : undefined) ?? ACTS[key] ?? (isInList ? LIST_ACTS[key] : undefined)
  const tab = TABS[Number(key) - 1]
  if (found !== undefined) found(keyed)
  else if (tab !== undefined) keyed.onTab(tab)
  return found !== undefined || tab !== undefined
}

function move(
  { rows, current, select }: Keyed,
  step: number,
  which: 'exchanges' | 'all' = 'exchanges',
): void {
  const wanted = which === 'all' ? rows : rows.filter(({ type }) => type === 'exchange')
  const place = wanted.findIndex((row) => idOf(row) === current)
  const next = wanted[place === -1 ? 0 : place + step]
  if (next !== undefined) choose(idOf(next), select)
}

function moveTab(step: 1 | -1): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
  const place = tabs.findIndex((tab) => tab === document.activeElement)
  const next = tabs.at((place + step) % tabs.length)
  next?.click()
  next?.focus()
}

function jump({ rows, select }: Keyed, place: number): void {
  const next = rows.filter(({ type }) => type === 'exchange').at(place)
  if (next !== undefined) choose(idOf(next), select)
}

/** The focus stays in the list if it was there: its row may only be drawn after the next frame. */
function choose(id: string, select: (id: string) => void): void {
  const isInList = document.activeElement?.classList.contains('row') === true
  select(id)
  if (!isInList) return
  const refocus = (tries: number): void => {
    // Somebody may have gone elsewhere in the meantime.
    const { activeElement } = document
    if (activeElement !== document.body && activeElement?.classList.contains('row') !== true) return
    const row = document.querySelector<HTMLElement>(`.row[data-id="${CSS.escape(id)}"]`)
    if (row !== null) row.focus()
    else if (tries > 0) requestAnimationFrame(() => refocus(tries - 1))
  }
  requestAnimationFrame(() => refocus(10))
}

function focus(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus()
}

function toggleAll(): void {
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('main details')]
  const isOpening = folds.some(({ open }) => !open)
  for (const fold of folds) fold.open = isOpening
}
