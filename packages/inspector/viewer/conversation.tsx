import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ExchangeSummary, Utterance } from '../src/summary/session-summary.ts'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { clock, count, span } from './figures.ts'
import { isUnderWay } from './rows.ts'
import { Folded, UtteranceView } from './utterance.tsx'
import type { Source } from './source.ts'
import { visible } from './text.tsx'
import { useStayAtEnd } from './use-stay-at-end.ts'

/** This many exchanges after the one that is looked at are drawn at first; those before it when somebody asks. */
const SHOWN_AFTER = 12

/** Who has asked for what was before wants it for the next exchange too. */
let wantsEarlier = false

/** The conversation of an agent as a transcript, with the exchange that is looked at in it. */
export function Conversation(props: {
  readonly source: Source
  readonly thread: readonly ExchangeEntry[]
  readonly selected: ExchangeEntry
  /** The summary of the selected exchange, which may be newer than what is kept of it here. */
  readonly summary: ExchangeSummary
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { source, thread, selected, summary, onSelect } = props
  const [isWhole, setWhole] = useState(wantsEarlier)
  const place = thread.findIndex(({ id }) => id === selected.id)
  const from = isWhole ? 0 : Math.max(0, place)
  const shown = thread.slice(from, isWhole ? undefined : place + SHOWN_AFTER + 1)
  const summaries = useSummaries(source, shown, selected.id)
  const all = new Map([...summaries, [selected.id, summary]])
  const results = resultsOf(shown, all)
  useStayAtEnd(isUnderWay(selected))
  return (
    <div class="conversation">
      {from > 0 && (
        <button
          type="button"
          class="more"
          onClick={() => {
            wantsEarlier = true
            setWhole(true)
          }}
        >
          Show {count(from, 'earlier call')} of this conversation
        </button>
      )}
      {shown.map((entry) => (
        <Turn
          key={entry.id}
          entry={entry}
          summary={all.get(entry.id)}
          results={results}
          isSelected={entry.id === selected.id}
          onSelect={onSelect}
        />
      ))}
    </div>
  )
}

/** The summaries of exchanges; those that are over are asked for once. */
function useSummaries(
  source: Source,
  entries: readonly ExchangeEntry[],
  except: string,
): ReadonlyMap<string, ExchangeSummary> {
  const [known, setKnown] = useState<ReadonlyMap<string, ExchangeSummary>>(new Map())
  const states = useRef(new Map<string, string>())
  const wanted = entries.filter(({ id, state }) => id !== except && states.current.get(id) !== state)
  useEffect(() => {
    if (wanted.length === 0) return
    for (const { id, state } of wanted) states.current.set(id, state)
    void source
      .summaries(wanted.map(({ id }) => id))
      .then((found) => setKnown((before) => new Map([...before, ...found])))
  }, [wanted.map(({ id, state }) => id + state).join()])
  return known
}

/** The results of calls, by exchange and place, from the requests that brought them back. */
function resultsOf(
  thread: readonly ExchangeEntry[],
  summaries: ReadonlyMap<string, ExchangeSummary>,
): ReadonlyMap<string, Utterance> {
  const results = new Map<string, Utterance>()
  for (const [index, { id }] of thread.entries()) {
    const calls = ofKind(summaries.get(id)?.answer?.utterances, 'call')
    const came = ofKind(summaries.get(thread[index + 1]?.id ?? '')?.request?.fresh, 'result')
    for (const [place, call] of calls.entries()) {
      // Upstreams may know a call by another id than the client; then its place tells.
      const atPlace = came.length === calls.length ? came[place] : undefined
      const result = came.find((one) => one.id === call.id) ?? atPlace
      if (result !== undefined) results.set(`${id} ${place}`, result)
    }
  }
  return results
}

function ofKind(utterances: readonly Utterance[] | undefined, wanted: Utterance['kind']): Utterance[] {
  return (utterances ?? []).filter(({ kind }) => kind === wanted)
}

function Turn(props: {
  readonly entry: ExchangeEntry
  readonly summary: ExchangeSummary | undefined
  readonly results: ReadonlyMap<string, Utterance>
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { entry, summary, results, isSelected, onSelect } = props
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isSelected && wantsEarlier) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  return (
    <section class={`turn ${isSelected ? 'selected' : ''}`} ref={box} aria-label={`exchange ${entry.number}`}>
      <div class="turn-head">
        <button
          type="button"
          class="small"
          onClick={() => onSelect(entry.id)}
          aria-current={isSelected ? 'true' : undefined}
        >
          #{entry.number}
        </button>
        <span class="muted">
          {clock(entry.begun)} · {visible(entry.called ?? entry.asked ?? '')} ·{' '}
          {entry.state === 'waiting' ? 'waiting for the model' : span(entry.span)}
        </span>
      </div>
      {summary === undefined ? (
        <p class="muted">…</p>
      ) : (
        <TurnBody entry={entry} summary={summary} results={results} />
      )}
    </section>
  )
}

interface TurnParts {
  readonly entry: ExchangeEntry
  readonly summary: ExchangeSummary
  readonly results: ReadonlyMap<string, Utterance>
}

function TurnBody(parts: TurnParts): JSX.Element {
  return (
    <>
      <Asked {...parts} />
      <Answered {...parts} />
      <Ended {...parts} />
    </>
  )
}

function Asked({ summary: { request, marks }, results }: TurnParts): JSX.Element {
  const shown = new Set(results.values())
  const fresh = (request?.fresh ?? []).filter((utterance) => !shown.has(utterance))
  return (
    <>
      {marks.map((mark, index) => (
        <p class="muted" key={index}>
          Mark: {visible(mark)}
        </p>
      ))}
      {request?.trouble !== undefined && <p class="alert">The request: {visible(request.trouble)}</p>}
      <System texts={request?.system ?? []} />
      {fresh.map((utterance, index) => (
        <UtteranceView key={index} utterance={utterance} />
      ))}
    </>
  )
}

/** All system texts in one fold. It shows how the longest begins: the first may be a line that only the provider reads. */
function System({ texts }: { readonly texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null
  const label = texts.length === 1 ? 'system prompt' : `system prompt in ${count(texts.length, 'part')}`
  const [longest = ''] = texts.toSorted((one, other) => other.length - one.length)
  return <Folded label={label} text={texts.join('\n\n')} hint={longest} />
}

function Answered({ entry, summary: { answer }, results }: TurnParts): JSX.Element {
  let calls = -1
  return (
    <>
      {answer?.utterances.map((utterance, index) => {
        if (utterance.kind === 'call') calls += 1
        const result = utterance.kind === 'call' ? results.get(`${entry.id} ${calls}`) : undefined
        // What is still coming is not cut off.
        return (
          <UtteranceView
            key={index}
            utterance={isUnderWay(entry) ? { ...utterance, cut: false } : utterance}
            result={result}
          />
        )
      })}
    </>
  )
}

const ENDINGS: Readonly<Record<ExchangeSummary['ending']['kind'], string>> = {
  clean: 'Answered',
  error: 'Failed',
  aborted: 'Broken off',
  interrupted: 'Interrupted',
}

function Ended({ entry, summary: { answer, ending } }: TurnParts): JSX.Element | null {
  if (isUnderWay(entry)) {
    return (
      <p class="live" role="status">
        {entry.state === 'waiting' ? 'waiting for the model …' : 'the answer is coming …'}
      </p>
    )
  }
  if (ending.kind !== 'clean') {
    return (
      <p class="alert">
        {ENDINGS[ending.kind]}: {visible(ending.words)}
      </p>
    )
  }
  return answer?.whole === false ? <p class="alert">The answer did not come to its own end.</p> : null
}
