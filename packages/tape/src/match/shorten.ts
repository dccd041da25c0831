/** How much of a value is shown: enough to recognise it, and short enough for one line. */
const SHOWN = 80

/** How many characters of what is equal are shown before two texts part. */
const LEAD = 20

/** Two values as they are shown to a person. */
export interface ShownPair {
  readonly expected: string
  readonly actual: string
}

/** Shortens two values to the place where they part; what is missing is shown as such. */
export function shortenPair(expected: unknown, actual: unknown): ShownPair {
  const texts = [textOf(expected), textOf(actual)] as const
  const start = Math.max(0, partingOf(...texts) - LEAD)
  return { expected: shorten(texts[0], start), actual: shorten(texts[1], start) }
}

/** One value on one line, shortened. */
export function shortenValue(value: unknown): string {
  return shorten(textOf(value), 0)
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function partingOf(one: string, other: string): number {
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}

function shorten(text: string, start: number): string {
  // A text that fits is shown whole, also when the two part late.
  const from = text.length <= SHOWN ? 0 : start
  const end = from + SHOWN
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${text.length > end ? '…' : ''}`.toWellFormed()
}
