import type { JSX } from 'preact'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { bytes } from './figures.ts'

/** More bars than these cannot be told apart. */
const MAX_BARS = 120

/** How large the requests of a session were, one after the other; those of the agent that began it stand out. */
export function Growth(props: {
  readonly entries: readonly ExchangeEntry[]
  readonly onSelect: (id: string) => void
}): JSX.Element {
  const shown = props.entries.slice(-MAX_BARS)
  const largest = Math.max(1, ...shown.map(({ size }) => size))
  const lead = shown.find(({ agent }) => agent.kind === 'main')?.agent.key
  const hasOthers = shown.some(({ agent }) => agent.key !== lead)
  return (
    <>
      <div class="growth">
        {shown.map(({ id, number, size, agent }) => (
          <button
            key={id}
            type="button"
            aria-label={`exchange ${number}: ${bytes(size)}`}
            title={`#${number}: ${bytes(size)}`}
            onClick={() => props.onSelect(id)}
          >
            <span
              class={agent.key === lead ? 'of-lead' : 'of-other'}
              style={{ height: `${(size / largest) * 100}%` }}
            />
          </button>
        ))}
      </div>
      <ul class="legend">
        {hasOthers && (
          <>
            <li>
              <span class="swatch of-lead" /> the lead
            </li>
            <li>
              <span class="swatch of-other" /> other agents
            </li>
          </>
        )}
        <li>the largest request: {bytes(largest)}</li>
      </ul>
    </>
  )
}
