import type { ExchangeEntry } from '../src/page/page-data.ts'

/** What the tools of an agent took, in milliseconds. */
export interface ToolTime {
  readonly names: string
  readonly from: number
  readonly took: number
}

/** For each exchange that brings results of tools, by its id: the time since the answer that called them. */
export function toolTimes(entries: readonly ExchangeEntry[]): ReadonlyMap<string, ToolTime> {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]))
  const times = new Map<string, ToolTime>()
  for (const { id, continues, begun, isTurn } of entries) {
    const before = byNumber.get(continues ?? -1)
    if (before === undefined || isTurn || before.tools.length === 0) continue
    const from = before.begun + before.span / 1000
    if (begun > from) times.set(id, { names: before.tools.join(', '), from, took: begun - from })
  }
  return times
}
