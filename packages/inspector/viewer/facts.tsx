import type { JSX } from 'preact'
import type { CallSummary, ExchangeSummary } from '../src/summary/session-summary.ts'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { bytes, cachedShare, count, money, number, span } from './figures.ts'
import { savedWords } from './headline.tsx'
import { TableBox } from './table-box.tsx'
import { visible } from './text.tsx'

/** The facts of an exchange at a glance, and each try to have it answered. */
export function Facts({
  entry,
  summary,
}: {
  readonly entry: ExchangeEntry
  readonly summary: ExchangeSummary
}): JSX.Element {
  const facts = [...routeFacts(entry, summary), ...timeFacts(summary), ...tokenFacts(entry, summary)]
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function routeFacts(entry: ExchangeEntry, { status }: ExchangeSummary): [string, string][] {
  const { asked, called, shownAs, route, upstream, client, dialect, state } = entry
  const other = shownAs === undefined || shownAs === called ? '' : `, told as ${shownAs}`
  return [
    ['Ended', `${state}${status === undefined ? '' : `, status ${status}`}`],
    ['Asked for', asked ?? '–'],
    ['Answered by', `${called ?? '–'}${other}`],
    ['Route', [route, upstream].filter((part) => part !== undefined).join(' → ') || '–'],
    ['Dialects', dialect === undefined ? client : `${client} → ${dialect}`],
  ]
}

function timeFacts({ times }: ExchangeSummary): [string, string][] {
  const { begun, firstToken, lastChunk, over, gaps, upstream, client } = times
  const sizes: [string, string][] = [
    ['From the upstream', `${count(upstream.chunks, 'chunk')}, ${bytes(upstream.bytes)}`],
    ['To the client', `${count(client.chunks, 'chunk')}, ${bytes(client.bytes)}`],
  ]
  // Times that are all the same are none: the source of an imported tape did not keep them.
  if (over === begun) return [['Took', 'no times are known'], ...sizes]
  const isStreamed = firstToken !== undefined && lastChunk !== undefined && upstream.chunks > 1
  return [
    ['Took', span(over - begun)],
    ['First token', firstToken === undefined ? '–' : `after ${span(firstToken - begun)}`],
    [
      'Between chunks',
      isStreamed ? `${span((lastChunk - firstToken) / (upstream.chunks - 1))} on average` : '–',
    ],
    ...(gaps.length === 0
      ? []
      : [['Silences', gaps.map(({ length }) => span(length)).join(', ')] as [string, string]]),
    ...sizes,
  ]
}

function tokenFacts(
  { cost, saved, costUnknown }: ExchangeEntry,
  { tokens }: ExchangeSummary,
): [string, string][] {
  if (tokens === undefined) return [['Tokens', 'nobody counted']]
  const { input = 0, fromCache = 0, toCache = 0, output, reasoning = 0 } = tokens
  const all = input + fromCache + toCache
  return [
    ['Tokens in', `${number(all)}${toCache > 0 ? `, ${number(toCache)} written to the cache` : ''}`],
    ['From the cache', `${number(fromCache)}, ${cachedShare({ input: all, cached: fromCache })}`],
    [
      'Tokens out',
      `${output === undefined ? '–' : number(output)}${reasoning > 0 ? `, ${number(reasoning)} of them reasoning` : ''}`,
    ],
    ['Cost', costWords({ cost, saved, costUnknown })],
  ]
}

function costWords({
  cost,
  saved = 0,
  costUnknown,
}: Pick<ExchangeEntry, 'cost' | 'saved' | 'costUnknown'>): string {
  if (cost === undefined && costUnknown !== undefined) return `unknown: ${costUnknown}`
  return saved === 0 ? money(cost) : `${money(cost)}, ${savedWords(saved)}`
}

/** Each try: where it went, what came of it, and how long it took. */
export function Attempts({ summary }: { readonly summary: ExchangeSummary }): JSX.Element {
  const { calls, times } = summary
  if (calls.length === 0) return <p class="muted">No upstream was called.</p>
  const hasKeys = calls.some(({ key }) => key !== undefined)
  return (
    <TableBox>
      <table class="tries">
        <thead>
          <tr>
            <th scope="col">Try</th>
            <th scope="col">Upstream</th>
            <th scope="col">Model</th>
            {hasKeys && <th scope="col">Key</th>}
            <th scope="col">Status</th>
            <th scope="col" class="figure">
              Took
            </th>
            <th scope="col">What came of it</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call, index) => (
            <tr key={index}>
              <td>{index + 1}</td>
              <td>{visible(call.via?.upstream ?? '–')}</td>
              <td>{visible(call.via?.model ?? '–')}</td>
              {hasKeys && <td>{visible(call.key ?? '–')}</td>}
              <td>{call.status ?? 'none'}</td>
              <td class="figure">{call.took === undefined ? '–' : span(call.took)}</td>
              <td class="name">{visible(outcomeOf(call, index === calls.length - 1))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {calls.length > 1 && <p class="muted">All of it took {span(times.over - times.begun)}.</p>}
    </TableBox>
  )
}

function outcomeOf({ failure, ended, retry, status }: CallSummary, isLast: boolean): string {
  const what =
    failure ??
    (status === undefined ? 'no answer' : ended === 'clean' ? 'answered' : `the answer is ${ended}`)
  if (isLast) return what
  if (retry === undefined) return `${what}; then the next target`
  const reason = what.includes(retry.reason) ? '' : ` (${retry.reason})`
  return `${what}; then again ${retry.pause === 0 ? 'at once' : `after ${span(retry.pause * 1000)}`}${reason}`
}

/** What the translator changed on the way, in words. */
export function Notes({ summary: { notes } }: { readonly summary: ExchangeSummary }): JSX.Element {
  if (notes.length === 0) return <p class="muted">Nothing was dropped, moved or made up.</p>
  return (
    <ul class="notes">
      {notes.map(({ code, path, message }, index) => (
        <li key={index}>
          <code>{visible(code)}</code>
          {path !== '' && (
            <>
              {' '}
              at <code>{visible(path)}</code>
            </>
          )}
          : {visible(message)}
        </li>
      ))}
    </ul>
  )
}
