import { KnownBytes, viewOf } from './known-bytes.ts'
import { TextRun } from './text-run.ts'
import type { EventPattern } from './text-template.ts'
import type { Hole } from './varying-text.ts'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const OPENING_BRACE = 0x7b
const SPACE = 0x20
const ZERO = 0x30
const NINE = 0x39
/** More digits than this are no count. */
const MAX_DIGITS = 15
/** The lines before the JSON of an event are not longer. */
const MAX_HEADER_LENGTH = 200

/** A place of an event where each has something else, and what comes after it. */
export interface FrameHole {
  readonly kind: Hole['kind'] | 'text'
  readonly name: string
  readonly after: string
}

interface KnownHole {
  readonly kind: FrameHole['kind']
  readonly after: KnownBytes
}

/** The bytes of the events of a run, but for their holes. */
export class EventFrame {
  readonly opening: KnownBytes
  readonly holes: readonly KnownHole[]
  readonly #names: readonly string[]
  /** The numbers of the event that was looked at last, and of the last that is in the run. */
  readonly seen: Float64Array
  readonly taken: Float64Array

  /** The frame of events whose lines are like those of the event that begins here; none if they are unusual. */
  static at(bytes: Uint8Array, from: number, pattern: EventPattern): EventFrame | undefined {
    const brace = bytes.indexOf(OPENING_BRACE, from)
    const lineFeed = bytes.indexOf(LINE_FEED, from)
    if (brace === -1 || lineFeed === -1 || brace - from > MAX_HEADER_LENGTH) return undefined
    const lineEnd = bytes[lineFeed - 1] === CARRIAGE_RETURN ? '\r\n' : '\n'
    const header = new TextDecoder().decode(bytes.subarray(from, brace))
    const name = pattern.event === undefined ? '' : `event: ${pattern.event}${lineEnd}`
    if (header !== `${name}data: ` && header !== `${name}data:`) return undefined
    return new EventFrame(header, lineEnd, pattern)
  }

  private constructor(header: string, lineEnd: string, { opening, holes }: EventPattern) {
    const last = holes.length - 1
    this.opening = new KnownBytes(header + opening)
    this.holes = holes.map(({ kind, after }, index) => ({
      kind,
      after: new KnownBytes(index === last ? after + lineEnd + lineEnd : after),
    }))
    this.#names = holes.flatMap(({ kind, name }) => (kind === 'number' ? [name] : []))
    this.seen = new Float64Array(this.#names.length)
    this.taken = new Float64Array(this.#names.length)
  }

  get numbers(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#names.map((name, index) => [name, this.taken[index] ?? 0]))
  }
}

/** Texts that were found, and where the last of their events ends. */
export interface FoundRun {
  readonly texts: TextRun
  readonly end: number
}

/** One for all streams: what was found is written out before anything else is looked for. */
const shared = new TextRun()
/** The text of the event that was looked at last. */
let textBegin = 0
let textEnd = 0

/** Finds the texts of the events that follow one another from here on and have this frame. */
export function findRun(bytes: Uint8Array, from: number, frame: EventFrame): FoundRun | undefined {
  const view = viewOf(bytes)
  shared.reset(bytes)
  let end = from
  while (!shared.isFull) {
    const next = endOfEvent(view, end, frame)
    if (next === -1) break
    shared.add(textBegin, textEnd)
    for (let index = 0; index < frame.seen.length; index += 1) {
      frame.taken[index] = frame.seen[index] as number
    }
    end = next
  }
  return end !== from && shared.isSound(from, end) ? { texts: shared, end } : undefined
}

/** Where an event ends that begins here and has the frame, -1 for every other. */
function endOfEvent(view: DataView, begin: number, frame: EventFrame): number {
  const { opening, holes } = frame
  if (!opening.isAt(view, begin)) return -1
  let at = begin + opening.length
  let numbers = 0
  for (let index = 0; index < holes.length; index += 1) {
    const { kind, after } = holes[index] as KnownHole
    if (kind === 'text') {
      textBegin = at
      at = textEnd = shared.endOfText(at)
      if (at <= textBegin) return -1
    } else if (kind === 'number') {
      at = endOfNumber(view, at, frame.seen, numbers)
      if (at === -1) return -1
      numbers += 1
    } else {
      at = kind === 'word' ? endOfWord(view, at) : endOfBlanks(view, at)
    }
    if (!after.isAt(view, at)) return -1
    at += after.length
  }
  return at
}

/** Where a whole number ends, as JSON writes them; -1 if there is none. */
function endOfNumber(view: DataView, begin: number, numbers: Float64Array, index: number): number {
  let value = 0
  let at = begin
  for (; at < view.byteLength; at += 1) {
    const byte = view.getUint8(at)
    if (byte < ZERO || byte > NINE) break
    value = value * 10 + byte - ZERO
  }
  const digits = at - begin
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && view.getUint8(begin) === ZERO)) return -1
  numbers[index] = value
  return at
}

function endOfWord(view: DataView, begin: number): number {
  let at = begin
  while (at < view.byteLength && IS_WORD[view.getUint8(at)] === 1) at += 1
  return at
}

function endOfBlanks(view: DataView, begin: number): number {
  let at = begin
  while (at < view.byteLength && view.getUint8(at) === SPACE) at += 1
  return at
}

const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0))
