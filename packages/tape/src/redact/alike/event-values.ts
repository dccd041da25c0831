import { closingQuote } from '../closing-quote.ts'
import type { ExampleEvent } from '../stream-redaction.ts'
import { type HoleKind, isDigit, isInNumber } from './holes.ts'

/** A value of an event, which another event of the same shape may have otherwise. */
export interface EventValue {
  readonly kind: HoleKind
  /** Where it is; a string without its quotes. */
  readonly from: number
  readonly to: number
  /** Whether it is the part of a text that the event brings. */
  readonly isText: boolean
}

const QUOTE = 0x22
const COLON = 0x3a
const MINUS = 0x2d

/** No character from here on is white space of JSON. */
const BEHIND_BLANKS = 0x21

/**
 * The values of an event in their order: strings, numbers, and the blanks before its last brace, which some servers
 * write to hide how long a text is. What is between the values is the same in alike events, names of members included.
 */
export function valuesOf(example: ExampleEvent): readonly EventValue[] {
  const { bytes } = example
  const values: EventValue[] = []
  let passed = 0
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(example, at)
    at += 1
    if (value === undefined) continue
    if (value.to < 0) return values
    at = passed = value.kind === 'string' ? value.to + 1 : value.to
    if (value.isText || value.kind === 'number' || !isName(bytes, at)) values.push(value)
  }
  const blanks = lastBlanksOf(bytes)
  return blanks !== undefined && blanks.from >= passed ? [...values, blanks] : values
}

/** The string or the number that begins at a place; the end of a string that is not closed is negative. */
function valueAt({ bytes, from, to }: ExampleEvent, at: number): EventValue | undefined {
  const code = bytes.charCodeAt(at)
  if (code === QUOTE) {
    const isText = at + 1 === from
    return {
      kind: 'string',
      from: at + 1,
      to: isText ? to : closingQuote(bytes, at + 1, bytes.length),
      isText,
    }
  }
  if (!isDigit(code) && !(code === MINUS && isDigit(bytes.charCodeAt(at + 1)))) return undefined
  let end = at + 1
  while (isInNumber(bytes.charCodeAt(end))) end += 1
  return { kind: 'number', from: at, to: end, isText: false }
}

function isName(bytes: string, behindQuote: number): boolean {
  let at = behindQuote
  while (bytes.charCodeAt(at) < BEHIND_BLANKS) at += 1
  return bytes.charCodeAt(at) === COLON
}

function lastBlanksOf(bytes: string): EventValue | undefined {
  const to = bytes.lastIndexOf('}')
  let from = to
  while (from > 0 && bytes.charAt(from - 1) === ' ') from -= 1
  return to < 0 ? undefined : { kind: 'blanks', from, to, isText: false }
}

/** An event and its values. */
export interface EventWithValues {
  readonly bytes: string
  readonly values: readonly EventValue[]
}

/** Whether two events have the same between their values, so that these can be compared one by one. */
export function haveSameShape(one: EventWithValues, other: EventWithValues): boolean {
  if (one.values.length !== other.values.length) return false
  let [passed, otherPassed] = [0, 0]
  for (const [index, { kind, isText, from, to }] of one.values.entries()) {
    const value = other.values[index]
    if (value?.kind !== kind || value.isText !== isText) return false
    const length = from - passed
    if (value.from - otherPassed !== length) return false
    if (!other.bytes.startsWith(one.bytes.slice(passed, from), otherPassed)) return false
    passed = to
    otherPassed = value.to
  }
  return one.bytes.slice(passed) === other.bytes.slice(otherPassed)
}
