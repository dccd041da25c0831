import type { JSX } from 'preact'
import type { ExchangeEntry } from '../src/page/page-data.ts'
import { findingsOf } from './findings.ts'
import type { Place } from './place.ts'
import { visible } from './text.tsx'

/** What stands out in a session, in words, with a way to where it can be seen. */
export function WorthALook(props: {
  readonly entries: readonly ExchangeEntry[]
  readonly go: (place: Place) => void
}): JSX.Element | null {
  const findings = findingsOf(props.entries)
  if (findings.length === 0) return null
  return (
    <section class="panel worth">
      <h3>Worth a look</h3>
      <ul>
        {findings.map(({ words, place }, index) => (
          <li key={index}>
            <button type="button" class="link" onClick={() => props.go(place)}>
              {visible(words)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
