/** One line of a diff: in both, only expected, or only there now. */
export interface DiffLine {
  readonly kind: ' ' | '-' | '+'
  readonly text: string
  /** Its number in the list it is from, from 1; that of the new list for what is in both. */
  readonly number: number
}

/** More pairs than this are not compared one by one: then everything between the ends that agree is replaced. */
const MAX_PAIRS = 4_000_000

/** What it takes to make one list of texts from another. */
export function diffLines(expected: readonly string[], actual: readonly string[]): DiffLine[] {
  let start = 0
  while (start < expected.length && start < actual.length && expected[start] === actual[start]) start += 1
  let end = 0
  while (
    end < Math.min(expected.length, actual.length) - start &&
    expected.at(-1 - end) === actual.at(-1 - end)
  ) {
    end += 1
  }
  const removed = expected.slice(start, expected.length - end)
  const added = actual.slice(start, actual.length - end)
  return [
    ...actual.slice(0, start).map((text, index) => line(' ', text, index)),
    ...diffMiddle(removed, added, start),
    ...actual.slice(actual.length - end).map((text, index) => line(' ', text, actual.length - end + index)),
  ]
}

function line(kind: DiffLine['kind'], text: string, index: number): DiffLine {
  return { kind, text, number: index + 1 }
}

function diffMiddle(removed: readonly string[], added: readonly string[], start: number): DiffLine[] {
  if (removed.length * added.length > MAX_PAIRS) {
    return [
      ...removed.map((text, index) => line('-', text, start + index)),
      ...added.map((text, index) => line('+', text, start + index)),
    ]
  }
  const common = commonLengths(removed, added)
  const lines: DiffLine[] = []
  let [from, to] = [0, 0]
  while (from < removed.length || to < added.length) {
    const [old, now] = [removed[from], added[to]]
    if (old !== undefined && old === now) {
      lines.push(line(' ', old, start + to))
      from += 1
      to += 1
    } else if (
      old !== undefined &&
      (now === undefined || at(common, from + 1, to) >= at(common, from, to + 1))
    ) {
      lines.push(line('-', old, start + from))
      from += 1
    } else {
      lines.push(line('+', now ?? '', start + to))
      to += 1
    }
  }
  return lines
}

/** How many lines two ends have in common at most, for each pair of places where they may begin. */
function commonLengths(removed: readonly string[], added: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: removed.length + 1 }, () => new Uint32Array(added.length + 1))
  for (let from = removed.length - 1; from >= 0; from -= 1) {
    const row = rows[from] ?? new Uint32Array()
    for (let to = added.length - 1; to >= 0; to -= 1) {
      row[to] =
        removed[from] === added[to]
          ? at(rows, from + 1, to + 1) + 1
          : Math.max(at(rows, from + 1, to), at(rows, from, to + 1))
    }
  }
  return rows
}

function at(rows: readonly Uint32Array[], from: number, to: number): number {
  return rows[from]?.[to] ?? 0
}
