import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { clock, count, inputOf, money, number, span, sumOfMoney, totals } from './figures.ts'
import type { Row } from './rows.ts'
import { visible } from './text.tsx'

/** All rows are equally high, so that only those on screen need to be drawn. */
export const ROW_HEIGHT = 46
const OVERSCAN = 8

const MARKS: Readonly<Record<string, string>> = {
  waiting: '◌',
  streaming: '◐',
  clean: '●',
  error: '▲',
  aborted: '■',
  interrupted: '◆',
}

/** The list of sessions, agents and exchanges; however long it is, only what is seen is drawn. */
export function List(props: {
  readonly rows: readonly Row[]
  /** The id of the exchange or the key of the session that is looked at. */
  readonly selected: string
  readonly onSelect: (id: string) => void
  readonly now: number
}): JSX.Element {
  const { rows, selected, onSelect, now } = props
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(800)
  const place = rows.findIndex((row) => idOf(row) === selected)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    setHeight(element.clientHeight)
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => scrollTo(box.current, place), [selected])
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW_HEIGHT) + OVERSCAN)
  const shown = rows.slice(first, last)
  return (
    <div class="rows" ref={box} onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <ol style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {shown.map((row, index) => {
          const id = idOf(row)
          const isCurrent = id === selected
          const isReachable = isCurrent || (place === -1 && first + index === 0)
          return (
            <li key={id} style={{ top: `${(first + index) * ROW_HEIGHT}px` }}>
              <button
                type="button"
                class={`row ${row.type}`}
                data-id={id}
                aria-current={isCurrent ? 'true' : undefined}
                tabIndex={isReachable ? 0 : -1}
                onClick={() => onSelect(id)}
              >
                <RowText row={row} now={now} />
              </button>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** What a row stands for. */
export function idOf(row: Row): string {
  if (row.type === 'exchange') return row.entry.id
  return row.type === 'session' ? `session:${row.session.key}` : `agent:${row.session}:${row.agent.key}`
}

function scrollTo(box: HTMLDivElement | null, place: number): void {
  if (box === null || place === -1) return
  const from = place * ROW_HEIGHT
  if (from < box.scrollTop) box.scrollTop = from
  else if (from + ROW_HEIGHT > box.scrollTop + box.clientHeight)
    box.scrollTop = from + ROW_HEIGHT - box.clientHeight
}

function RowText({ row, now }: { readonly row: Row; readonly now: number }): JSX.Element {
  if (row.type === 'session') {
    const { session, title, own } = row
    const sums = totals(own)
    const { cost, known, errors } = sums
    const facts = [
      visible(session.client),
      count(own.length, 'call'),
      cost === undefined && known === 0 ? '' : sumOfMoney(sums),
      errors > 0 ? `${errors} failed` : '',
      session.problems.length > 0 ? count(session.problems.length, 'problem') : '',
    ]
    return (
      <>
        <span class="title">{visible(title === '' ? session.name : title)}</span>
        <span class="meta">{facts.filter(Boolean).join(' · ')}</span>
      </>
    )
  }
  if (row.type === 'agent') {
    return (
      <>
        <span class="title">{visible(row.name)}</span>
        <span class="meta">
          {count(row.own.length, 'call')}
          {row.agent.id !== undefined && ` · ${visible(row.agent.id)}`}
        </span>
      </>
    )
  }
  return <ExchangeText row={row} now={now} />
}

function ExchangeText({
  row,
  now,
}: {
  readonly row: Row & { type: 'exchange' }
  readonly now: number
}): JSX.Element {
  const { entry, depth } = row
  return (
    <>
      <span class={`title depth-${depth}`}>
        <span class={`mark ${entry.state}`} aria-hidden="true">
          {MARKS[entry.state]}
        </span>
        <span class="number">{entry.number}</span>
        <span class={entry.isTurn ? 'typed' : 'plain'}>
          {visible(entry.title === '' ? '…' : entry.title)}
        </span>
      </span>
      <span class={`meta depth-${depth}`}>
        <span class="sr">{entry.state}, </span>
        {visible(factsOf(entry, now).join(' · '))}
      </span>
    </>
  )
}

function factsOf(entry: ExchangeEntry, now: number): string[] {
  const { begun, called, asked, cost, attempts, notes } = entry
  const facts = [
    clock(begun),
    timeOf(entry, now),
    attempts > 1 ? `${attempts} tries` : '',
    tokensOf(entry),
    cost === undefined ? '' : money(cost),
    called ?? asked ?? '',
    notes.length === 0 ? '' : count(notes.length, 'note'),
  ]
  return facts.filter((fact) => fact !== '')
}

function timeOf({ state, begun, span: took }: ExchangeEntry, now: number): string {
  if (state !== 'waiting' && state !== 'streaming') return span(took)
  return `${state} ${span(Math.max(0, now - begun) * 1000)}`
}

function tokensOf({ tokens }: ExchangeEntry): string {
  if (tokens === undefined) return ''
  return `${number(inputOf(tokens))} → ${number(tokens.output ?? 0)}`
}
