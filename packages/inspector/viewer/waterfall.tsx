import { span } from './figures.ts'
import type { JSX } from 'preact'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { type ToolTime, toolTimes } from './tool-times.ts'
import { visible } from './text.tsx'
import { wallTime } from './wall-time.ts'

/** More lines than these are not looked at. */
const MAX_LINES = 240

/** The exchanges of a session over time; before each one, what the tools took whose results it brings. */
export function Waterfall(props: {
  readonly entries: readonly ExchangeEntry[]
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const shown = props.entries.slice(-MAX_LINES)
  const start = Math.min(...shown.map(({ begun }) => begun))
  const end = Math.max(...shown.map(endOf))
  const scale = { start, length: Math.max(1, end - start) }
  const tools = toolTimes(props.entries)
  const inTools = wallTime([...tools.values()])
  return (
    <div class="waterfall">
      {shown.length < props.entries.length && <p class="muted">The last {shown.length} calls.</p>}
      {shown.map((entry) => (
        <Fall
          key={entry.id}
          entry={entry}
          tool={tools.get(entry.id)}
          scale={scale}
          onSelect={props.onSelect}
        />
      ))}
      <ul class="legend">
        <li>
          <span class="swatch fall-wait" /> until the first token
        </li>
        <li>
          <span class="swatch fall-answer" /> the answer
        </li>
        <li>
          <span class="swatch fall-tool" /> tools of the agent{inTools > 0 && `: ${span(inTools * 1000)}`}
        </li>
        <li>all of it: {span(scale.length * 1000)}</li>
      </ul>
    </div>
  )
}

interface Scale {
  readonly start: number
  readonly length: number
}

function Fall(props: {
  readonly entry: ExchangeEntry
  readonly tool: ToolTime | undefined
  readonly scale: Scale
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const { tool, scale } = props
  const { id, number, begun, span: took, firstToken = 0, title, state } = props.entry
  const left = (at: number): string => `${(Math.max(0, at - scale.start) / scale.length) * 100}%`
  const width = (milliseconds: number): string => `${(milliseconds / scale.length) * 100}%`
  const waited = took === 0 ? 0 : Math.min(100, (firstToken / took) * 100)
  return (
    <button
      type="button"
      class="fall"
      title={tool && `${visible(tool.names)}: ${span(tool.took * 1000)}`}
      onClick={() => props.onSelect(id)}
    >
      <span class="fall-name">
        #{number} {visible(title)}
      </span>
      <span class="fall-lane">
        {tool !== undefined && (
          <span class="fall-tool" style={{ left: left(tool.from), width: width(tool.took) }} />
        )}
        <span
          class={`fall-bar ${state}`}
          style={{ left: left(begun), width: `max(3px, ${width(took / 1000)})` }}
        >
          <span class="fall-wait" style={{ width: `${waited}%` }} />
        </span>
      </span>
      <span class="fall-time">{span(took)}</span>
    </button>
  )
}

function endOf({ begun, span: took }: ExchangeEntry): number {
  return begun + took / 1000
}
