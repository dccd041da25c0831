import type { TapedAnswer, TapedExchange } from '@hydra/tape'
import type { EventRow, EventView } from './page-data.ts'
import { readEvents } from './read-events.ts'

interface LegEvent {
  readonly at: number
  readonly leg: 'upstream' | 'client'
  readonly event: EventView
}

/**
 * Both legs event by event. A row is what came from the upstream at one time, and what the client was sent
 * until the upstream came again: mostly what was made of it.
 */
export function eventRows({ calls, answer }: TapedExchange): EventRow[] {
  const events = [
    ...calls.flatMap((call) => legEvents('upstream', call.answer)),
    ...legEvents('client', answer),
  ]
  const rows: { at: number; upstream: EventView[]; client: EventView[] }[] = []
  for (const { at, leg, event } of inOrder(events)) {
    const row = rows.at(-1)
    const begins = row === undefined || (leg === 'upstream' && (row.at !== at || row.client.length > 0))
    if (begins) rows.push({ at, upstream: [], client: [], [leg]: [event] })
    else row[leg].push(event)
  }
  return rows
}

function legEvents(leg: LegEvent['leg'], answer: TapedAnswer): LegEvent[] {
  return readEvents(answer).map(({ at, event }) => ({ at, leg, event }))
}

/** By time; of two at the same time the upstream's is the cause, and the sort keeps the order of the rest. */
function inOrder(events: readonly LegEvent[]): LegEvent[] {
  return events.toSorted((one, other) => one.at - other.at)
}
