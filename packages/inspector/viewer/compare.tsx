import type { JSX } from 'preact'
import type { ExchangeEntry, ExchangePage } from '../src/page/page-data.ts'
import { count, money, number, span } from './figures.ts'
import type { Source } from './source.ts'
import { visible } from './text.tsx'
import { UtteranceView } from './utterance.tsx'
import { usePage } from './use-page.ts'

/** The answers to one request that was sent more than once, side by side, as they come. */
export function Compare(props: {
  readonly source: Source
  readonly siblings: readonly ExchangeEntry[]
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { source, siblings, onSelect } = props
  return (
    <div class="compare">
      {siblings.map((entry) => (
        <Column key={entry.id} source={source} entry={entry} onSelect={onSelect} />
      ))}
    </div>
  )
}

function Column(props: {
  readonly source: Source
  readonly entry: ExchangeEntry
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { source, entry, onSelect } = props
  const { page, trouble } = usePage(source, entry)
  const said = page?.summary.answer?.utterances ?? []
  const isOver = entry.state !== 'waiting' && entry.state !== 'streaming'
  return (
    <section class="panel answer" aria-label={`answer of exchange ${entry.number}`}>
      <h3>{visible(entry.called ?? entry.asked ?? 'no model')}</h3>
      <p class="muted">
        <button type="button" class="small" onClick={() => onSelect(entry.id)}>
          #{entry.number}
        </button>{' '}
        {visible(factsOf(entry).join(' · '))}
      </p>
      {trouble !== '' && <p class="alert">{visible(trouble)}</p>}
      {said.map((utterance, index) => (
        <UtteranceView key={index} utterance={isOver ? utterance : { ...utterance, cut: false }} />
      ))}
      <End entry={entry} page={page} />
    </section>
  )
}

function End({
  entry: { state },
  page,
}: {
  readonly entry: ExchangeEntry
  readonly page: ExchangePage | undefined
}): JSX.Element | null {
  if (state === 'waiting' || state === 'streaming') {
    const words = state === 'waiting' ? 'waiting for the model …' : 'the answer is coming …'
    return (
      <p class="live" role="status">
        {words}
      </p>
    )
  }
  const ending = page?.summary.ending
  if (ending === undefined || ending.kind === 'clean') return null
  return <p class="alert">{visible(ending.words)}</p>
}

function factsOf({ upstream, state, span: took, tokens, cost, tools }: ExchangeEntry): string[] {
  return [
    upstream === undefined ? '' : `at ${upstream}`,
    state === 'clean' ? span(took) : state,
    tokens?.output === undefined ? '' : `${number(tokens.output)} tokens out`,
    tools.length === 0 ? '' : count(tools.length, 'call'),
    cost === undefined ? '' : money(cost),
  ].filter(Boolean)
}

/** The exchanges that answer the same request: the one that was sent first, and those that repeat it. */
export function siblingsOf(
  entry: ExchangeEntry,
  entries: ReadonlyMap<string, ExchangeEntry>,
): readonly ExchangeEntry[] {
  const first = entry.again ?? entry.id
  const all = [...entries.values()].filter(({ id, again }) => id === first || again === first)
  return all.length > 1 ? all.toSorted((one, other) => one.begun - other.begun) : []
}
