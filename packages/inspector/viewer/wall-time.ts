/** A span of time, in milliseconds. */
interface Span {
  readonly from: number
  readonly took: number
}

/** How long at least one of the spans lasted: what runs at the same time counts once. */
export function wallTime(spans: readonly Span[]): number {
  let all = 0
  let reached = Number.NEGATIVE_INFINITY
  for (const { from, took } of spans.toSorted((one, other) => one.from - other.from)) {
    all += Math.max(0, from + took - Math.max(from, reached))
    reached = Math.max(reached, from + took)
  }
  return all
}
