import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ExchangeEntry, SessionEntry } from '../src/page/page-data.ts'
import { siblingsOf } from './compare.tsx'
import { ExchangeView, type Tab } from './exchange-view.tsx'
import { parseFilter, passes } from './filter.ts'
import { count } from './figures.ts'
import { Help } from './help.tsx'
import { useKeys } from './keys.ts'
import { idOf, List } from './list.tsx'
import { Login } from './login.tsx'
import { type Place, placeOf, showPlace } from './place.ts'
import { isUnderWay, type Listed, type Row, rowsOf } from './rows.ts'
import { Overview, SessionView } from './session-view.tsx'
import type { Connection, Source } from './source.ts'
import { useFound } from './use-found.ts'

/** The list as the source tells it; a new object whenever it changed. */
function useList(source: Source): { readonly listed: Listed; readonly connection: Connection } {
  const [listed, setListed] = useState<Listed>({ sessions: new Map(), entries: new Map() })
  const [connection, setConnection] = useState<Connection>('open')
  useLayoutEffect(() => {
    const sessions = new Map<string, SessionEntry>()
    const entries = new Map<string, ExchangeEntry>()
    source.listen((change) => {
      for (const session of change.sessions) sessions.set(session.key, session)
      for (const entry of change.entries) entries.set(entry.id, entry)
      for (const id of change.gone) entries.delete(id)
      setListed({ sessions, entries })
    }, setConnection)
  }, [source])
  return { listed, connection }
}

/** The time, again and again while something is waited for. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

/** Follows the address: somebody may open a link in a page that is there already. */
function useHash(onPlace: (place: Place) => void): void {
  useEffect(() => {
    const onHash = (): void => onPlace(placeOf(location.hash))
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
}

/** Goes to the newest exchange whenever there is another one. */
function useNewest(newest: string | undefined, go: (id: string) => void): void {
  useEffect(() => {
    if (newest !== undefined) go(newest)
  }, [newest])
}

/** The whole page. */
export function App({ source }: { readonly source: Source }): JSX.Element {
  const { listed, connection } = useList(source)
  const [place, setPlace] = useState<Place>(placeOf(location.hash))
  const [filter, setFilter] = useState('')
  const [isFollowing, setFollowing] = useState(source.isLive && place.id === '')
  const help = useRef<HTMLDialogElement>(null)
  const terms = useMemo(() => parseFilter(filter), [filter])
  const found = useFound(source, terms, listed)
  const rows = useMemo(() => rowsOf(listed, (entry) => passes(entry, terms, found)), [listed, terms, found])
  const isBusy = useMemo(() => [...listed.entries.values()].some(isUnderWay), [listed])
  const now = useNow(isBusy)
  const go = (next: Place): void => {
    setPlace(next)
    showPlace(next)
  }
  const leave = (next: Place): void => {
    setFollowing(false)
    go(next)
  }
  const select = (id: string): void => leave({ ...place, id })
  useHash(setPlace)
  useNewest(isFollowing ? newestOf(listed) : undefined, (id) => go({ ...place, id }))
  const current = place.id === '' ? firstOf(rows, source) : place.id
  useKeys({ rows, current, select, onTab: (tab) => go({ id: current, tab }), help })
  if (connection === 'key') return <Login source={source} />
  return (
    <>
      <Head
        source={source}
        connection={connection}
        listed={listed}
        onTotals={() => select('overview')}
        onHelp={() => help.current?.showModal()}
        follow={{ isOn: isFollowing, set: setFollowing }}
      />
      <div class="columns">
        <nav aria-label="Sessions and exchanges">
          <Filter rows={rows} size={listed.entries.size} filter={filter} onFilter={setFilter} />
          {rows.length === 0 ? (
            <Empty source={source} isFiltered={filter !== ''} />
          ) : (
            <List rows={rows} selected={current} onSelect={select} now={now} />
          )}
        </nav>
        <main id="main" tabIndex={-1}>
          <Main
            source={source}
            listed={listed}
            place={{ ...place, id: current }}
            now={now}
            select={select}
            go={leave}
          />
        </main>
      </div>
      <Help dialog={help} />
    </>
  )
}

function Head(props: {
  readonly source: Source
  readonly connection: Connection
  readonly listed: Listed
  readonly follow: { readonly isOn: boolean; readonly set: (isOn: boolean) => void }
  readonly onTotals: () => void
  readonly onHelp: () => void
}): JSX.Element {
  const { source, connection, listed, follow, onTotals, onHelp } = props
  return (
    <header class="top">
      <h1>Hydra</h1>
      <Status source={source} connection={connection} listed={listed} />
      {source.isLive && (
        <button
          type="button"
          aria-pressed={follow.isOn}
          title="Go to each exchange as it begins"
          onClick={() => follow.set(!follow.isOn)}
        >
          Follow
        </button>
      )}
      <button type="button" id="overview" onClick={onTotals}>
        Totals
      </button>
      <button type="button" id="show-keys" onClick={onHelp}>
        Keys <kbd>?</kbd>
      </button>
    </header>
  )
}

function Filter(props: {
  readonly rows: readonly Row[]
  readonly size: number
  readonly filter: string
  readonly onFilter: (filter: string) => void
}): JSX.Element {
  const { rows, size, filter, onFilter } = props
  const shown = rows.filter(({ type }) => type === 'exchange').length
  return (
    <div class="filter">
      <label>
        Filter
        <input
          id="filter"
          type="search"
          autocomplete="off"
          placeholder="words, ~m model, ~t tool, ~e"
          value={filter}
          onInput={(event) => onFilter(event.currentTarget.value)}
        />
      </label>
      <p id="filter-count" role="status">
        {filter === '' ? '' : `${shown} of ${size}`}
      </p>
    </div>
  )
}

function Status({
  source,
  connection,
  listed,
}: {
  readonly source: Source
  readonly connection: Connection
  readonly listed: Listed
}): JSX.Element {
  const size = listed.entries.size
  const underWay = [...listed.entries.values()].filter(isUnderWay).length
  if (!source.isLive) return <p class="status">recorded: {count(size, 'exchange')}</p>
  return (
    <p class={`status ${connection} ${underWay > 0 ? 'busy' : ''}`} role="status">
      {connection === 'open'
        ? `live: ${count(size, 'exchange')}${underWay > 0 ? `, ${underWay} under way` : ''}`
        : 'the proxy does not answer; trying again'}
    </p>
  )
}

function Empty({
  source,
  isFiltered,
}: {
  readonly source: Source
  readonly isFiltered: boolean
}): JSX.Element {
  if (isFiltered) return <p class="muted">Nothing fits the filter.</p>
  if (!source.isLive) return <p class="muted">There is nothing on the tapes.</p>
  return <p class="muted">Nothing has come yet. Calls appear here as they begin.</p>
}

function Main(props: {
  readonly source: Source
  readonly listed: Listed
  readonly place: Place
  readonly now: number
  readonly select: (id: string) => void
  readonly go: (place: Place) => void
}): JSX.Element {
  const { source, listed, place, now, select, go } = props
  const { sessions, entries } = listed
  const entry = entries.get(place.id)
  if (entry !== undefined) {
    const own = inSession(entries, entry.session).filter(({ agent }) => agent.key === entry.agent.key)
    const onTab = (tab: Tab): void => go({ id: place.id, tab })
    return (
      <ExchangeView
        key={entry.id}
        source={source}
        entry={entry}
        session={sessions.get(entry.session)}
        thread={own}
        siblings={siblingsOf(entry, entries)}
        now={now}
        tab={place.tab}
        onTab={onTab}
        onSelect={select}
      />
    )
  }
  const [kind, key = ''] = place.id.split(':')
  const session = sessions.get(key)
  if (session !== undefined && (kind === 'session' || kind === 'agent')) {
    const agent = place.id.slice(`agent:${key}:`.length)
    const all = inSession(entries, key)
    const own = kind === 'session' ? all : all.filter((one) => one.agent.key === agent)
    return <SessionView session={session} entries={own} onSelect={select} go={go} />
  }
  if (place.id !== '' && place.id !== 'overview')
    return <p class="alert">This exchange is not kept any more.</p>
  return <Overview listed={listed} onSelect={select} go={go} />
}

function inSession(entries: Listed['entries'], session: string): ExchangeEntry[] {
  return [...entries.values()]
    .filter((entry) => entry.session === session)
    .toSorted((one, other) => one.number - other.number)
}

/** A file opens at its first exchange, as a book does. */
function firstOf(rows: readonly Row[], { isLive }: Source): string {
  const first = rows.find(({ type }) => type === 'exchange')
  return isLive || first === undefined ? '' : idOf(first)
}

function newestOf({ entries }: Listed): string | undefined {
  let newest: ExchangeEntry | undefined
  for (const entry of entries.values()) {
    if (newest === undefined || entry.begun >= newest.begun) newest = entry
  }
  return newest?.id
}
