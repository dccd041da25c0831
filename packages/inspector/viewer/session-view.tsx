import type { ComponentChildren, JSX } from 'preact'
import type { ExchangeEntry, SessionEntry } from '../src/page/page-data.ts'
import { cachedShare, count, day, money, number, short, span, sumOfMoney, totals } from './figures.ts'
import { savedWords, Tile } from './headline.tsx'
import type { Place } from './place.ts'
import { agentName, kindsOf, type Listed } from './rows.ts'
import { TableBox } from './table-box.tsx'
import { visible } from './text.tsx'
import { Growth } from './growth.tsx'
import { Waterfall } from './waterfall.tsx'
import { Welcome } from './welcome.tsx'
import { WorthALook } from './worth-a-look.tsx'

/** A part of the page with a heading. */
export function Panel({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section class="panel">
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** A session as a whole: what it took, who did what, and how the context grew. */
export function SessionView(props: {
  readonly session: SessionEntry
  readonly entries: readonly ExchangeEntry[]
  readonly onSelect: (id: string) => void
  readonly go: (place: Place) => void
}): JSX.Element {
  const { session, entries, onSelect, go } = props
  const typed = entries.find(({ isTurn, agent }) => isTurn && agent.kind === 'main') ?? entries[0]
  const kinds = kindsOf(entries)
  return (
    <>
      <h2>{visible(typed?.title ?? session.name)}</h2>
      <p class="muted">
        Session {visible(session.name)}, {visible(session.client)},{' '}
        {session.source === 'live' ? 'live' : 'from a tape'}
      </p>
      {session.imported !== undefined && (
        <p class="muted">
          Imported from {visible(session.imported.from)}; it lacks{' '}
          {visible(session.imported.lacks.join('; '))}
        </p>
      )}
      {session.problems.map(({ line, reason }, index) => (
        <p class="alert" key={index}>
          Line {line}: {visible(reason)}
        </p>
      ))}
      <SumTiles entries={entries} />
      <WorthALook entries={entries} go={go} />
      <Panel title="Waterfall">
        <Waterfall entries={entries} onSelect={onSelect} />
      </Panel>
      <Panel title="By agent">
        <Sums entries={entries} keyOf={({ agent }) => agent.key} nameOf={(own) => agentName(own, kinds)} />
      </Panel>
      <ByModel entries={entries} />
      <Panel title="How the context grew">
        <Growth entries={entries} onSelect={onSelect} />
      </Panel>
    </>
  )
}

/** Everything together, when nothing is chosen. */
export function Overview(props: {
  readonly listed: Listed
  readonly onSelect: (id: string) => void
  readonly go: (place: Place) => void
}): JSX.Element {
  const { listed, onSelect } = props
  const entries = [...listed.entries.values()]
  if (entries.length === 0) return <Welcome />
  const nameOf = (own: readonly ExchangeEntry[]): string => {
    const typed = own.find(({ isTurn, agent }) => isTurn && agent.kind === 'main')
    return typed?.title ?? listed.sessions.get(own[0]?.session ?? '')?.name ?? ''
  }
  return (
    <>
      <h2>Everything</h2>
      <SumTiles entries={entries} />
      <Panel title="By session">
        <Sums
          entries={entries}
          keyOf={({ session }) => session}
          nameOf={nameOf}
          onOpen={(own) => onSelect(`session:${own[0]?.session ?? ''}`)}
        />
      </Panel>
      <ByModel entries={entries} />
      <Panel title="By day">
        <Sums entries={entries} keyOf={({ begun }) => day(begun)} nameOf={(own) => day(own[0]?.begun ?? 0)} />
      </Panel>
    </>
  )
}

function SumTiles({ entries }: { readonly entries: readonly ExchangeEntry[] }): JSX.Element {
  const sums = totals(entries)
  const { calls, errors, input, cached, output, cost, saved, uncounted } = sums
  const model = entries.reduce((sum, { span: took }) => sum + took, 0)
  const priced = entries.filter((entry) => entry.cost !== undefined).length
  const part = priced === 0 ? 'no price is known' : `known for ${priced} of ${count(calls, 'call')}`
  return (
    <dl class="tiles">
      <Tile
        label="Calls"
        more={errors > 0 ? <span class="bad">{errors} did not end well</span> : 'all ended well'}
      >
        {number(calls)}
      </Tile>
      <Tile label="Time of models" more="calls may overlap">
        {model === 0 ? '–' : span(model)}
      </Tile>
      <Tile
        label="Tokens in → out"
        more={uncounted > 0 ? `${count(uncounted, 'call')} not counted` : undefined}
      >
        {short(input)} → {short(output)}
      </Tile>
      <Tile label="From the cache" more={`${number(cached)} tokens`}>
        {cachedShare({ input, cached })}
      </Tile>
      <Tile label="Cost" more={cost === undefined ? part : costWords(entries, saved)}>
        {sumOfMoney(sums)}
      </Tile>
    </dl>
  )
}

/** What the cache saved, and of how many calls nobody knows what they cost. */
function costWords(entries: readonly ExchangeEntry[], saved: number): string | undefined {
  const unknown = entries.filter(({ costUnknown }) => costUnknown !== undefined).length
  const words = [
    saved === 0 ? '' : savedWords(saved),
    unknown === 0 ? '' : `without ${count(unknown, 'call')} of unknown cost`,
  ]
  return words.filter(Boolean).join('; ') || undefined
}

function ByModel({ entries }: { readonly entries: readonly ExchangeEntry[] }): JSX.Element {
  return (
    <Panel title="By model">
      <Sums
        entries={entries}
        keyOf={modelOf}
        nameOf={(own) => (own[0] === undefined ? '' : modelOf(own[0]))}
      />
    </Panel>
  )
}

function modelOf({ called, asked, upstream }: ExchangeEntry): string {
  return `${called ?? asked ?? '–'}${upstream === undefined ? '' : ` at ${upstream}`}`
}

function Sums(props: {
  readonly entries: readonly ExchangeEntry[]
  readonly keyOf: (entry: ExchangeEntry) => string
  readonly nameOf: (own: readonly ExchangeEntry[]) => string
  readonly onOpen?: (own: readonly ExchangeEntry[]) => void
}): JSX.Element {
  const groups = [...Map.groupBy(props.entries, props.keyOf).values()]
  return (
    <TableBox>
      <table class="sums">
        <thead>
          <tr>
            <th scope="col">What</th>
            {['Calls', 'Cost', 'Tokens in', 'Cached', 'Tokens out', 'Cache saved', 'Failed'].map((name) => (
              <th key={name} scope="col" class="figure">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((own, index) => (
            <SumRow key={index} name={props.nameOf(own)} entries={own} onOpen={props.onOpen} />
          ))}
          {groups.length > 1 && <SumRow name="all" entries={props.entries} />}
        </tbody>
      </table>
    </TableBox>
  )
}

function SumRow({
  name,
  entries,
  onOpen,
}: {
  readonly name: string
  readonly entries: readonly ExchangeEntry[]
  readonly onOpen?: ((own: readonly ExchangeEntry[]) => void) | undefined
}): JSX.Element {
  const sum = totals(entries)
  return (
    <tr>
      <td class="name">
        {onOpen === undefined ? (
          <span class="brief">{visible(name)}</span>
        ) : (
          <button type="button" class="link brief" onClick={() => onOpen(entries)}>
            {visible(name)}
          </button>
        )}
      </td>
      <td class="figure">{number(sum.calls)}</td>
      <td class="figure">{sumOfMoney(sum)}</td>
      <td class="figure">
        {number(sum.input)}
        {sum.uncounted > 0 && <span class="under">{sum.uncounted} not counted</span>}
      </td>
      <td class="figure">{cachedShare(sum)}</td>
      <td class="figure">{number(sum.output)}</td>
      <td class="figure">{sum.cost === undefined ? '–' : money(sum.saved)}</td>
      <td class={`figure ${sum.errors > 0 ? 'bad' : ''}`}>{number(sum.errors)}</td>
    </tr>
  )
}
