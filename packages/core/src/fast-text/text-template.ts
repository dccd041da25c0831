import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { type EventShape, findRun, type FoundRun, sentEventAt, type ShapeAt } from './event-run.ts'
import type { FrameHole } from './known-holes.ts'
import type { Hole, VaryingText } from './varying-text.ts'

/** After this many events in a row that fit no template, none is learnt any more. */
const MAX_MISSES = 16
const LINE_END = /[\n\r]/

/** The JSON of an event around its holes. */
export interface EventPattern {
  /** The name of the event, where it has one. */
  readonly event: string | undefined
  /** What is before the first hole. */
  readonly opening: string
  readonly holes: readonly FrameHole[]
}

/**
 * Knows the one shape that most events of a stream share: the same JSON but for the text and a few holes.
 * An event of that shape needs no parsing, and its text, still escaped, can be copied into the client's event.
 */
export class TextTemplate {
  readonly #varying: VaryingText
  /** The event that was learnt last. */
  event: JsonObject = {}
  #pattern: EventPattern | undefined
  /** The same as it is in the stream; made when it is first looked for. */
  #shape: EventShape | undefined
  readonly #shapeAt: ShapeAt
  #misses = 0

  constructor(varying: VaryingText, shapeAt: ShapeAt = sentEventAt) {
    this.#varying = varying
    this.#shapeAt = shapeAt
  }

  /**
   * Finds the texts of the events that follow one another from here on and have the learnt shape. Taken one by one,
   * with their lines split and joined again, they would cost several times as much.
   */
  findRun(bytes: Uint8Array, from: number): FoundRun | undefined {
    if (this.#pattern === undefined) return undefined
    this.#shape ??= this.#shapeAt(bytes, from, this.#pattern)
    const found = this.#shape && findRun(bytes, from, this.#shape)
    if (found !== undefined) this.#misses = 0
    return found
  }

  /** Takes an event as the template for the next ones, if its text is all it says; false if it is not. */
  learn(name: string | undefined, data: string, event: JsonObject): boolean {
    const text = this.#varying.textOf(event)
    if (text === undefined || text === '' || this.#misses > MAX_MISSES) return false
    this.#misses += 1
    const pattern = this.#patternOf(name, data, text)
    if (pattern === undefined) return false
    if (!isSame(pattern, this.#pattern)) {
      this.#pattern = pattern
      this.#shape = undefined
    }
    this.event = event
    return true
  }

  /** The numbers of the latest event of a run, by the names of their fields. */
  get numbers(): Readonly<Record<string, number>> {
    return this.#shape?.holes.numbers ?? {}
  }

  #patternOf(name: string | undefined, data: string, text: string): EventPattern | undefined {
    const { key, textOf, holes = [] } = this.#varying
    const written = JSON.stringify(text)
    const at = data.indexOf(written)
    if (at === -1 || LINE_END.test(data)) return undefined
    const before = split(data.slice(0, at + 1), holes)
    const after = split(data.slice(at + written.length - 1), holes)
    const opening = before.opening
    const all: FrameHole[] = [
      ...before.holes,
      { kind: 'text', name: '', after: after.opening },
      ...after.holes,
    ]
    const last = before.holes.at(-1)?.after ?? opening
    if (!new RegExp(String.raw`"${key}"\s*:\s*"$`).test(last)) return undefined
    const pattern = { event: name, opening, holes: all }
    // Other text in its place must really be the text, and not that of a namesake.
    const probe: unknown = JSON.parse(probeOf(pattern))
    return isJsonObject(probe) && textOf(probe) === 'probe' ? pattern : undefined
  }
}

/** What each hole is filled with to find out whether the event still means the same. */
const PROBES: Readonly<Record<FrameHole['kind'], string>> = {
  text: 'probe',
  number: '7',
  word: 'other',
  blanks: ' ',
}

function probeOf({ opening, holes }: EventPattern): string {
  return opening + holes.map(({ kind, after }) => PROBES[kind] + after).join('')
}

/** Splits a part of an event at its holes. */
function split(part: string, holes: readonly Hole[]): { opening: string; holes: FrameHole[] } {
  const found = holes
    .flatMap(({ kind, name, pattern }) => {
      const match = pattern.exec(part)
      return match === null ? [] : [{ kind, name, begin: match.index, end: match.index + match[0].length }]
    })
    .toSorted((one, other) => one.begin - other.begin)
  return {
    opening: ownCopy(part.slice(0, found[0]?.begin)),
    holes: found.map(({ kind, name, end }, index) => ({
      kind,
      name,
      after: ownCopy(part.slice(end, found[index + 1]?.begin)),
    })),
  }
}

function isSame(one: EventPattern, other: EventPattern | undefined): boolean {
  if (other === undefined || one.event !== other.event || one.opening !== other.opening) return false
  if (one.holes.length !== other.holes.length) return false
  return one.holes.every(
    ({ kind, after }, index) => other.holes[index]?.kind === kind && other.holes[index].after === after,
  )
}

/** A copy that does not hold on to the whole read from which the text was cut. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1)
}
