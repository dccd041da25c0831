import { KnownBytes } from '@hydra/core'
import type { ExampleEvent } from '../stream-redaction.ts'
import { type EventWithValues, haveSameShape, valuesOf } from './event-values.ts'
import type { HoleKind } from './holes.ts'

const NOT_ASCII = /[\u0080-\u00ff]/

/** Events that differ in more places are not alike. */
const MAX_HOLES = 8

/** A place where the events of a template differ. */
interface Hole {
  readonly kind: HoleKind
  /** Whether it has the part of a text that the event brings. */
  readonly isText: boolean
  /** How many bytes before it and behind it may belong to one word with it: no word goes on behind a quote. */
  readonly before: number
  readonly behind: number
}

/** An event, and which of its values differ between alike events. */
interface Example extends EventWithValues {
  readonly varies: readonly boolean[]
}

/** What the alike events of a stream have in common: all but a few words and what else changes with each of them. */
export class EventTemplate {
  /** What is around the holes, one more than there are. */
  readonly parts: readonly string[]
  readonly known: readonly KnownBytes[]
  readonly holes: readonly Hole[]
  /** The event that it was learnt from. */
  readonly example: Example

  constructor(example: Example) {
    const { bytes, values, varies } = example
    const varying = values.filter((_, index) => varies[index])
    const ends = [...varying.map(({ from }) => from), bytes.length]
    this.example = example
    this.parts = ends.map((end, index) => bytes.slice(varying[index - 1]?.to ?? 0, end))
    this.known = this.parts.map((part) => new KnownBytes(part))
    this.holes = varying.map(({ kind, isText }, index) => ({
      kind,
      isText,
      before: lengthFromLastQuote(this.parts[index] ?? ''),
      behind: lengthToFirstQuote(this.parts[index + 1] ?? ''),
    }))
  }
}

/**
 * The template of an event: the known one if it fits; otherwise one with holes wherever the event differs from the one
 * before, or those before it did; undefined if the event can have none. Between two holes there is always a quote, which
 * keeps apart what is in them.
 */
export function templateOf(
  example: ExampleEvent,
  known: EventTemplate | undefined,
): EventTemplate | undefined {
  const { bytes, from, to } = example
  if (NOT_ASCII.test(bytes.slice(0, from)) || NOT_ASCII.test(bytes.slice(to))) return undefined
  const values = valuesOf(example)
  const before =
    known !== undefined && haveSameShape(known.example, { bytes, values }) ? known.example : undefined
  const varies = values.map(
    (value, index) => value.isText || differs(before, index, bytes.slice(value.from, value.to)),
  )
  const holes = varies.filter(Boolean).length
  if (holes === 0 || holes > MAX_HOLES) return undefined
  if (before !== undefined && holes === known?.holes.length) return known
  const template = new EventTemplate({ bytes, values, varies })
  return template.parts.slice(1, -1).every((part) => part.includes('"')) ? template : undefined
}

function differs(example: Example | undefined, index: number, text: string): boolean {
  const value = example?.values[index]
  if (example === undefined || value === undefined) return false
  return example.varies[index] === true || example.bytes.slice(value.from, value.to) !== text
}

function lengthFromLastQuote(part: string): number {
  return part.length - Math.max(part.lastIndexOf('"'), 0)
}

function lengthToFirstQuote(part: string): number {
  const quote = part.indexOf('"')
  return quote < 0 ? part.length : quote + 1
}
