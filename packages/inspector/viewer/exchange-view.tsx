import type { JSX } from 'preact'
import type { ExchangeEntry, ExchangePage, SessionEntry } from '../src/page/page-data.ts'
import { Actions } from './actions.tsx'
import { Context } from './context.tsx'
import { Conversation } from './conversation.tsx'
import { Events, Heads, Requests } from './dialects.tsx'
import { Compare } from './compare.tsx'
import { Attempts, Facts, Notes } from './facts.tsx'
import { Headline } from './headline.tsx'
import { Panel } from './session-view.tsx'
import type { Source } from './source.ts'
import { visible } from './text.tsx'
import { Timeline } from './timing.tsx'
import { usePage } from './use-page.ts'

/** The parts of an exchange, in the order of their tabs. */
export const TABS = ['Conversation', 'Facts', 'Dialects', 'Context', 'Requests', 'Timing', 'Compare'] as const
export type Tab = (typeof TABS)[number]

/** One exchange with all its parts. */
export function ExchangeView(props: {
  readonly source: Source
  readonly entry: ExchangeEntry
  readonly session: SessionEntry | undefined
  readonly thread: readonly ExchangeEntry[]
  /** This exchange and those that answer the same request, if it was sent again. */
  readonly siblings: readonly ExchangeEntry[]
  readonly now: number
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { source, entry, session, siblings, now, onTab } = props
  const { page, trouble } = usePage(source, entry)
  const tabs = TABS.filter((name) => name !== 'Compare' || siblings.length > 0)
  const tab = tabs.includes(props.tab) ? props.tab : 'Conversation'
  return (
    <>
      <h2>
        <span class="muted">#{entry.number}</span> {visible(entry.title === '' ? 'Exchange' : entry.title)}
      </h2>
      {(session?.problems ?? []).map(({ line, reason }, index) => (
        <p class="alert" key={index}>
          Line {line} of the tape: {visible(reason)}
        </p>
      ))}
      <Headline entry={entry} now={now} />
      <Actions source={source} entry={entry} page={page} onSent={() => onTab('Compare')} />
      <div class="tabs" role="tablist" aria-label="Parts of the exchange">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="tab-panel"
            onClick={() => onTab(name)}
          >
            {name}
            {name === 'Facts' && entry.notes.length > 0 ? ` (${entry.notes.length})` : ''}
            {name === 'Compare' ? ` (${siblings.length})` : ''}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {trouble !== '' && <p class="alert">{visible(trouble)}</p>}
        {page === undefined ? <p class="muted">…</p> : <TabBody {...props} tab={tab} page={page} />}
      </div>
    </>
  )
}

function TabBody(props: Parameters<typeof ExchangeView>[0] & { readonly page: ExchangePage }): JSX.Element {
  const { tab, page, entry, source, thread, onSelect } = props
  switch (tab) {
    case 'Conversation':
      return (
        <Conversation
          source={source}
          thread={thread}
          selected={entry}
          summary={page.summary}
          onSelect={onSelect}
        />
      )
    case 'Facts':
      return (
        <>
          <Panel title="Tries">
            <Attempts summary={page.summary} />
          </Panel>
          <Panel title="What was changed on the way">
            <Notes summary={page.summary} />
          </Panel>
          <Panel title="All facts">
            <Facts entry={entry} summary={page.summary} />
          </Panel>
        </>
      )
    case 'Dialects':
      return <Dialects page={page} />
    case 'Context':
      return (
        <Panel title="What fills the context">
          <Context context={page.context} entry={entry} />
        </Panel>
      )
    case 'Requests':
      return (
        <>
          <Panel title="Requests">
            <Requests page={page} />
          </Panel>
          <Panel title="Headers">
            <Heads heads={page.heads} />
          </Panel>
        </>
      )
    case 'Compare':
      return <Compare source={source} siblings={props.siblings} onSelect={onSelect} />
    case 'Timing':
      return (
        <Panel title="Timeline">
          <Timeline page={page} />
        </Panel>
      )
  }
}

/** The jewel: what came in one dialect, and what became of it in the other. */
function Dialects({ page }: { readonly page: ExchangePage }): JSX.Element {
  return (
    <>
      {page.summary.notes.length > 0 && (
        <Panel title="What was changed on the way">
          <Notes summary={page.summary} />
        </Panel>
      )}
      <Panel title="Both dialects, event by event">
        <Events page={page} />
      </Panel>
    </>
  )
}
