import { closingQuote } from '../closing-quote.ts'
import type { ExampleEvent } from '../stream-redaction.ts'
import type { HoleKind } from './holes.ts'

/** A value of an event, which another event of the same shape may have otherwise. */
export interface EventValue {
  readonly kind: HoleKind
  /** Where it is; a string without its quotes. */
  readonly from: number
  readonly to: number
  /** Whether it is the part of a text that the event brings. */
  readonly isText: boolean
}

const TOKEN = /"|-?\d[\d.eE+-]*/g

const COLON = /\s*:/y

/**
 * The values of an event in their order: strings, numbers, and the blanks before its last brace, which some servers
 * write to hide how long a text is. What is between the values is the shape of the event, names of members included.
 */
export function valuesOf({ bytes, from, to }: ExampleEvent): readonly EventValue[] {
  const values: EventValue[] = []
  let passed = 0
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(bytes); match !== null; match = TOKEN.exec(bytes)) {
    const begin = match.index
    passed = TOKEN.lastIndex
    if (match[0] !== '"') {
      values.push({ kind: 'number', from: begin, to: passed, isText: false })
      continue
    }
    const isText = passed === from
    const end = isText ? to : closingQuote(bytes, passed, bytes.length)
    if (end < 0) return values
    if (isText || !isName(bytes, end + 1)) values.push({ kind: 'string', from: passed, to: end, isText })
    passed = end + 1
    TOKEN.lastIndex = passed
  }
  const blanks = lastBlanksOf(bytes)
  return blanks !== undefined && blanks.from >= passed ? [...values, blanks] : values
}

function isName(bytes: string, behindQuote: number): boolean {
  COLON.lastIndex = behindQuote
  return COLON.test(bytes)
}

function lastBlanksOf(bytes: string): EventValue | undefined {
  const to = bytes.lastIndexOf('}')
  let from = to
  while (from > 0 && bytes.charAt(from - 1) === ' ') from -= 1
  return to < 0 ? undefined : { kind: 'blanks', from, to, isText: false }
}

/** What an event has beside its values; the same for two events whose values can be compared one by one. */
export function shapeOf(bytes: string, values: readonly EventValue[]): string {
  let shape = ''
  let passed = 0
  for (const { kind, from, to, isText } of values) {
    shape += `${bytes.slice(passed, from)}\0${isText ? 'text' : kind}\0`
    passed = to
  }
  return shape + bytes.slice(passed)
}
