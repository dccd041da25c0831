import { KnownBytes } from './known-bytes.ts'
import { KnownHoles } from './known-holes.ts'
import type { EventPattern } from './text-template.ts'
import { TextRun } from './text-run.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const OPENING_BRACE = 0x7b
/** The lines before the JSON of an event are not longer. */
const MAX_HEADER_LENGTH = 200

/** The bytes of the events of a run, but for their holes. */
export interface EventShape {
  readonly holes: KnownHoles
  /** Where an event ends that begins here and has the shape, -1 for every other; the run knows its text then. */
  endOfEvent(run: TextRun, begin: number): number
  /** Whether the bytes of events of this shape are text where they have to be. */
  isSound(run: TextRun, begin: number, end: number): boolean
}

/** Learns the shape of events from the one that begins at a place; none if that one is unusual. */
export type ShapeAt = (bytes: Uint8Array, from: number, pattern: EventPattern) => EventShape | undefined

/** The shape of server-sent events whose lines are like those of the event that begins here. */
export function sentEventAt(bytes: Uint8Array, from: number, pattern: EventPattern): EventShape | undefined {
  const brace = bytes.indexOf(OPENING_BRACE, from)
  const lineFeed = bytes.indexOf(LINE_FEED, from)
  if (brace === -1 || lineFeed === -1 || brace - from > MAX_HEADER_LENGTH) return undefined
  const lineEnd = bytes[lineFeed - 1] === CARRIAGE_RETURN ? '\r\n' : '\n'
  const header = new TextDecoder().decode(bytes.subarray(from, brace))
  const name = pattern.event === undefined ? '' : `event: ${pattern.event}${lineEnd}`
  if (header !== `${name}data: ` && header !== `${name}data:`) return undefined
  return new SentEvent(header, lineEnd, pattern)
}

class SentEvent implements EventShape {
  readonly holes: KnownHoles
  readonly #opening: KnownBytes

  constructor(header: string, lineEnd: string, { opening, holes }: EventPattern) {
    this.#opening = new KnownBytes(header + opening)
    this.holes = new KnownHoles(holes, lineEnd + lineEnd)
  }

  endOfEvent(run: TextRun, begin: number): number {
    const opening = this.#opening
    return opening.isAt(run.view, begin, run.end) ? this.holes.endIn(run, begin + opening.length) : -1
  }

  isSound(run: TextRun, begin: number, end: number): boolean {
    return run.isSound(begin, end)
  }
}

/** Texts that were found, and where the last of their events ends. */
export interface FoundRun {
  readonly texts: TextRun
  readonly end: number
}

/** One for all streams: what was found is written out before anything else is looked for. */
const shared = new TextRun()

/** Finds the texts of the events that follow one another from here on and have this shape. */
export function findRun(bytes: Uint8Array, from: number, shape: EventShape): FoundRun | undefined {
  shared.reset(bytes)
  let end = from
  while (end < shared.end && !shared.isFull) {
    const next = shape.endOfEvent(shared, end)
    if (next === -1) break
    shared.add()
    shape.holes.take()
    end = next
  }
  return end !== from && shape.isSound(shared, from, end) ? { texts: shared, end } : undefined
}
