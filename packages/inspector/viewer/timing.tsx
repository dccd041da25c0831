import { bytes, span } from './figures.ts'
import type { JSX } from 'preact'
import type { ExchangePage, Lane, TimeMark } from '../src/page/page-data.ts'

/** More bars than these cannot be told apart. */
const MAX_BARS = 240

/** The chunks of both legs over time. */
export function Timeline({ page }: { readonly page: ExchangePage }): JSX.Element {
  const { lanes, marks, summary } = page
  const { begun, over } = summary.times
  const length = over - begun
  if (length <= 0) return <p class="muted">No times are known.</p>
  const scale = { start: begun, length }
  return (
    <div class="timeline">
      {lanes.map((lane) => (
        <LaneView key={lane.name} lane={lane} scale={scale} />
      ))}
      <Marks marks={marks} scale={scale} />
      <div class="axis">
        <span>0</span>
        <span>{span(length)}</span>
      </div>
      <ul class="mark-list">
        {marks.map(({ at, label }, index) => (
          <li key={index}>
            {label}: after {span(at - begun)}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface Scale {
  readonly start: number
  readonly length: number
}

function LaneView({ lane, scale }: { readonly lane: Lane; readonly scale: Scale }): JSX.Element {
  const { name, chunks } = lane
  const total = chunks.reduce((sum, [, size]) => sum + size, 0)
  const largest = chunks.reduce((most, [, size]) => Math.max(most, size), 1)
  const step = Math.max(1, Math.ceil(chunks.length / MAX_BARS))
  return (
    <div class="lane-row">
      <span class="lane-name">{name}</span>
      <div class={`lane ${name}`} role="img" aria-label={`${name}: ${chunks.length} chunks, ${bytes(total)}`}>
        {chunks
          .filter((_, index) => index % step === 0)
          .map(([at, size], index) => (
            <span
              key={index}
              class="bar"
              style={{
                left: `${((at - scale.start) / scale.length) * 99}%`,
                height: `${15 + (Math.log1p(size) / Math.log1p(largest)) * 85}%`,
              }}
            />
          ))}
      </div>
    </div>
  )
}

function Marks({
  marks,
  scale,
}: {
  readonly marks: readonly TimeMark[]
  readonly scale: Scale
}): JSX.Element {
  return (
    <div class="lane-row" aria-hidden="true">
      <span class="lane-name">marks</span>
      <div class="ticks">
        {marks.map(({ at }, index) => (
          <span key={index} class="tick" style={{ left: `${((at - scale.start) / scale.length) * 100}%` }} />
        ))}
      </div>
    </div>
  )
}
