import { span } from './figures.ts'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type {
  EventRow,
  EventView,
  ExchangePage,
  HeadView,
  RequestPart,
  RequestView,
} from '../src/page/page-data.ts'
import { Copy, Fold, indented, visible } from './text.tsx'

/** This many rows at a time stay quick to draw. */
const ROWS = 200
const LATE_PARTS = 40

/** The two dialects side by side, event by event. */
export function Events({ page }: { readonly page: ExchangePage }): JSX.Element {
  const [shown, setShown] = useState(ROWS)
  const { rows, summary } = page
  if (rows.length === 0) return <p class="muted">No bytes came over either leg.</p>
  return (
    <div class="event-rows">
      <div class="event-row head" aria-hidden="true">
        <span>after</span>
        <span>from the upstream</span>
        <span>to the client</span>
      </div>
      {rows.slice(0, shown).map((row, index) => (
        <Row key={index} row={row} begun={summary.times.begun} />
      ))}
      {rows.length > shown && (
        <button type="button" class="more" onClick={() => setShown(shown + ROWS)}>
          Show more ({rows.length - shown} moments left)
        </button>
      )}
    </div>
  )
}

function Row({ row, begun }: { readonly row: EventRow; readonly begun: number }): JSX.Element {
  return (
    <div class="event-row">
      <span class="when">{span(row.at - begun)}</span>
      <div class="side upstream">
        {row.upstream.map((event, index) => (
          <Event key={index} event={event} />
        ))}
      </div>
      <div class="side client">
        {row.client.map((event, index) => (
          <Event key={index} event={event} />
        ))}
      </div>
    </div>
  )
}

function Event({ event: { name, hint, data, cut } }: { readonly event: EventView }): JSX.Element {
  return (
    <Fold
      label={
        <>
          {name !== '' && <span class="event-name">{visible(name)}</span>}
          {cut === true && <span class="badge error">cut off</span>}
          <span class="hint">{visible(hint)}</span>
        </>
      }
    >
      {() => <pre tabIndex={0}>{visible(indented(data))}</pre>}
    </Fold>
  )
}

/** The request as the client sent it, and as the upstream got it. */
export function Requests({ page }: { readonly page: ExchangePage }): JSX.Element {
  const { requests, pieces = [] } = page
  if (requests.length === 0) return <p class="muted">No request is known.</p>
  return (
    <div class="pair">
      {requests.map((request, index) => (
        <Request key={index} request={request} pieces={pieces} />
      ))}
    </div>
  )
}

function Request({
  request,
  pieces,
}: {
  readonly request: RequestView
  readonly pieces: readonly string[]
}): JSX.Element {
  const { title, side, line, parts } = request
  const early = parts.slice(0, -LATE_PARTS)
  const body = (): string => parts.map(({ label, piece }) => `${label}: ${pieces[piece] ?? ''}`).join('\n')
  return (
    <div class={`side ${side}`}>
      <h4>{visible(title)}</h4>
      <p>
        <code>{visible(line)}</code> <Copy label="Copy" text={body} />
      </p>
      {parts.length === 0 && <p class="muted">without a body</p>}
      {early.length > 0 && (
        <Fold label={<span class="hint">{early.length} earlier parts</span>}>
          {() => early.map((part, index) => <Part key={index} part={part} pieces={pieces} />)}
        </Fold>
      )}
      {parts.slice(-LATE_PARTS).map((part, index) => (
        <Part key={index} part={part} pieces={pieces} />
      ))}
    </div>
  )
}

function Part({
  part,
  pieces,
}: {
  readonly part: RequestPart
  readonly pieces: readonly string[]
}): JSX.Element {
  const text = pieces[part.piece] ?? ''
  return (
    <Fold
      className="part"
      label={
        <>
          <span class="event-name">{visible(part.label)}</span>
          <span class="hint">{visible(text.slice(0, 120).replaceAll(/\s+/g, ' '))}</span>
        </>
      }
    >
      {() => <pre tabIndex={0}>{visible(text)}</pre>}
    </Fold>
  )
}

/** The headers of all legs, as far as they are kept. */
export function Heads({ heads }: { readonly heads: readonly HeadView[] }): JSX.Element {
  return (
    <div class="pair">
      {heads.map(({ title, line, headers }, index) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        return (
          <div class="side" key={index}>
            <h4>{title}</h4>
            <p>
              <code>{visible(line)}</code>
            </p>
            <pre tabIndex={0}>
              {visible(lines.length === 0 ? '(no header of the list that is kept)' : lines.join('\n'))}
            </pre>
          </div>
        )
      })}
    </div>
  )
}
