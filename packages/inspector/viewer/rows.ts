import type { AgentEntry, ExchangeEntry, SessionEntry } from '../src/page/page-data.ts'

/** All that is known of the list. */
export interface Listed {
  readonly sessions: ReadonlyMap<string, SessionEntry>
  readonly entries: ReadonlyMap<string, ExchangeEntry>
}

/** A line of the list. */
export type Row =
  | {
      readonly type: 'session'
      readonly session: SessionEntry
      readonly own: readonly ExchangeEntry[]
      readonly title: string
    }
  | {
      readonly type: 'agent'
      readonly agent: AgentEntry
      readonly name: string
      readonly session: string
      readonly own: readonly ExchangeEntry[]
    }
  | { readonly type: 'exchange'; readonly entry: ExchangeEntry; readonly depth: number }

/** Whether there is more to come of an exchange. */
export function isUnderWay({ state }: ExchangeEntry): boolean {
  return state === 'waiting' || state === 'streaming'
}

/** The lines of the list: sessions, the newest first, in them agents, and in them exchanges. */
export function rowsOf({ sessions, entries }: Listed, isShown: (entry: ExchangeEntry) => boolean): Row[] {
  const bySession = Map.groupBy(entries.values(), ({ session }) => session)
  const shown = [...sessions.values()]
    .map((session) => {
      const all = bySession.get(session.key) ?? []
      return { session, all, own: all.filter(isShown) }
    })
    .filter(({ own }) => own.length > 0)
    .toSorted((one, other) => rank(other) - rank(one))
  const rows: Row[] = []
  for (const { session, all, own } of shown) {
    const title = titleOf(all)
    rows.push({ type: 'session', session, own, title })
    addAgentRows(rows, { session: session.key, title, all, own })
  }
  return rows
}

function rank({
  session,
  own,
}: {
  readonly session: SessionEntry
  readonly own: readonly ExchangeEntry[]
}): number {
  // Tapes come behind what is live.
  return session.source === 'live'
    ? Math.max(...own.slice(-1).map(({ begun }) => begun))
    : session.started / 1e6
}

/** The words that a person began a session with. */
function titleOf(entries: readonly ExchangeEntry[]): string {
  const typed = entries.find(({ isTurn, agent }) => isTurn && agent.kind === 'main')
  return (typed ?? entries.find(({ isTurn }) => isTurn))?.title ?? ''
}

interface SessionEntries {
  readonly session: string
  readonly title: string
  readonly all: readonly ExchangeEntry[]
  /** Those that are shown. */
  readonly own: readonly ExchangeEntry[]
}

function addAgentRows(rows: Row[], { session, title, all, own: shown }: SessionEntries): void {
  const ordered = shown.toSorted((one, other) => one.number - other.number)
  const lead = ordered.find(({ agent }) => agent.kind === 'main' && agent.key !== UNREAD)?.agent.key ?? UNREAD
  const keyOf = ({ agent }: ExchangeEntry): string => (agent.key === UNREAD ? lead : agent.key)
  const groups = [...Map.groupBy(ordered, keyOf).values()]
  const kinds = kindsOf(all)
  for (const own of groups) {
    const [first] = own
    if (first !== undefined && groups.length > 1) {
      rows.push({ type: 'agent', agent: first.agent, name: agentName(own, kinds, title), session, own })
    }
    for (const entry of own) rows.push({ type: 'exchange', entry, depth: groups.length > 1 ? 2 : 1 })
  }
}

/** The agent of exchanges that nobody has read yet, which mostly are of the one that began the session. */
const UNREAD = 'unread'

type Kinds = Readonly<Record<AgentEntry['kind'], string>>

const KINDS: Kinds = { main: 'conversation', subagent: 'sub-agent', side: 'side request' }

/** What the kinds of agents of a session are called. */
export function kindsOf(entries: readonly ExchangeEntry[]): Kinds {
  return entries.some(({ agent }) => agent.kind === 'subagent') ? { ...KINDS, main: 'lead' } : KINDS
}

/** What an agent is called: the kind, and the words that it was started with, unless those stand above it already. */
export function agentName(own: readonly ExchangeEntry[], kinds: Kinds, above = ''): string {
  const agent = own[0]?.agent ?? { key: '', kind: 'main' }
  const words = own.find(({ isTurn }) => isTurn)?.title ?? agent.id ?? ''
  const kind = kinds[agent.kind]
  return words === above || words === '' ? kind : `${kind}: ${words}`
}
