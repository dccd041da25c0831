import type { ComponentChildren, JSX } from 'preact'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { cachedShare, inputOf, money, number, short, span } from './figures.ts'
import { isUnderWay } from './rows.ts'
import { visible } from './text.tsx'

/** One figure with what it means, and what else is to be said of it. */
export function Tile(props: {
  readonly label: string
  readonly children: ComponentChildren
  readonly more?: ComponentChildren
  readonly tone?: 'good' | 'bad' | 'live' | undefined
}): JSX.Element {
  const { label, children, more, tone } = props
  return (
    <div class={`tile ${tone ?? ''}`}>
      <dt>{label}</dt>
      <dd>
        <strong>{children}</strong>
        {more !== undefined && <span class="more-words">{more}</span>}
      </dd>
    </div>
  )
}

/** The few things that everybody wants to know of an exchange: how it ended, who answered, how long, how much. */
export function Headline({
  entry,
  now,
}: {
  readonly entry: ExchangeEntry
  readonly now: number
}): JSX.Element {
  return (
    <dl class="tiles">
      <Outcome entry={entry} now={now} />
      <Model entry={entry} />
      <Time entry={entry} now={now} />
      <TokenTile entry={entry} />
      <CostTile entry={entry} />
    </dl>
  )
}

const OUTCOMES: Readonly<Record<ExchangeEntry['state'], string>> = {
  waiting: 'waiting',
  streaming: 'streaming',
  clean: 'answered',
  error: 'failed',
  aborted: 'broken off',
  interrupted: 'interrupted',
}

function Outcome({ entry }: { readonly entry: ExchangeEntry; readonly now: number }): JSX.Element {
  const { state, status, attempts } = entry
  const tone = isUnderWay(entry) ? 'live' : state === 'clean' ? 'good' : 'bad'
  const words = [
    status === undefined ? 'no status yet' : `status ${status}`,
    attempts > 1 ? `after ${attempts} tries` : '',
  ]
  return (
    <Tile label="Outcome" tone={tone} more={words.filter(Boolean).join(', ')}>
      {OUTCOMES[state]}
    </Tile>
  )
}

function Model({ entry }: { readonly entry: ExchangeEntry }): JSX.Element {
  const { asked, called, upstream, route } = entry
  const isOther = asked !== undefined && called !== undefined && asked !== called
  const way = [upstream === undefined ? '' : `at ${upstream}`, route === undefined ? '' : `route ${route}`]
  const words = [isOther ? `asked for ${asked}` : '', ...way].filter(Boolean).join(', ')
  return (
    <Tile label="Answered by" more={visible(words)}>
      {visible(called ?? asked ?? '–')}
    </Tile>
  )
}

/** What the time of an exchange that is not over is the time of. */
const TIMES: Readonly<Partial<Record<ExchangeEntry['state'], string>>> = {
  waiting: 'Waiting for',
  streaming: 'Streaming for',
}

function Time({ entry, now }: { readonly entry: ExchangeEntry; readonly now: number }): JSX.Element {
  const { span: took, firstToken, begun } = entry
  const shown = isUnderWay(entry) ? Math.max(0, now - begun) * 1000 : took
  const words = firstToken === undefined ? 'no token came' : `first token after ${span(firstToken)}`
  const waiting = entry.state === 'waiting' ? 'no token yet' : words
  return (
    <Tile label={TIMES[entry.state] ?? 'Took'} more={waiting}>
      {shown === 0 ? '–' : span(shown)}
    </Tile>
  )
}

function TokenTile({ entry }: { readonly entry: ExchangeEntry }): JSX.Element {
  const { tokens } = entry
  if (tokens === undefined)
    return (
      <Tile label="Tokens in → out" more={isUnderWay(entry) ? 'counted at the end' : 'nobody counted'}>
        –
      </Tile>
    )
  const input = inputOf(tokens)
  const { fromCache = 0, toCache = 0, output, reasoning = 0 } = tokens
  // The exact ones are among the facts.
  const brief = input < 10_000 ? number : short
  const written = toCache > 0 ? `, ${number(toCache)} written to it` : ''
  const words = [
    input === 0 ? '' : `${cachedShare({ input, cached: fromCache })} from the cache${written}`,
    reasoning === 0 ? '' : `${number(reasoning)} out are reasoning`,
  ]
  return (
    <Tile label="Tokens in → out" more={words.filter(Boolean).join('; ') || undefined}>
      {brief(input)} → {output === undefined ? '–' : brief(output)}
    </Tile>
  )
}

function CostTile({ entry }: { readonly entry: ExchangeEntry }): JSX.Element {
  const { cost, saved, costUnknown, state, tokens } = entry
  if (cost === undefined) {
    // What was refused was not counted, and no price list has a word on it.
    if (state === 'error' && tokens === undefined && costUnknown === undefined)
      return (
        <Tile label="Cost" more="nothing was counted">
          –
        </Tile>
      )
    const reason = isUnderWay(entry) ? 'known when it is over' : visible(costUnknown ?? 'no price is known')
    return (
      <Tile label="Cost" more={reason}>
        {isUnderWay(entry) ? '…' : 'unknown'}
      </Tile>
    )
  }
  const words = saved === undefined || saved === 0 ? undefined : savedWords(saved)
  return (
    <Tile label="Cost" more={words}>
      {money(cost)}
    </Tile>
  )
}

/** What a cache saved; writing to it may cost more than is read from it. */
export function savedWords(saved: number): string {
  return saved < 0 ? `the cache cost ${money(-saved)} more` : `the cache saved ${money(saved)}`
}
