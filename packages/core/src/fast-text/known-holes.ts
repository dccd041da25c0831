import { KnownBytes } from './known-bytes.ts'
import type { TextRun } from './text-run.ts'
import type { Hole } from './varying-text.ts'
import type { VisibleBytes } from './visible-bytes.ts'

const SPACE = 0x20
const ZERO = 0x30
const NINE = 0x39
/** More digits than this are no count. */
const MAX_DIGITS = 15

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

/** The holes of the events of a run, and the bytes behind each. */
export class KnownHoles {
  readonly #holes: readonly KnownHole[]
  readonly #names: readonly string[]
  /** The numbers of the event that was looked at last, and of the last that is in the run. */
  readonly #seen: Float64Array
  readonly #taken: Float64Array

  /** `end` is what the last hole is followed by beside its own bytes. */
  constructor(holes: readonly FrameHole[], end = '') {
    const last = holes.length - 1
    this.#holes = holes.map(({ kind, after }, index) => ({
      kind,
      after: new KnownBytes(index === last ? after + end : after),
    }))
    this.#names = holes.flatMap(({ kind, name }) => (kind === 'number' ? [name] : []))
    this.#seen = new Float64Array(this.#names.length)
    this.#taken = new Float64Array(this.#names.length)
  }

  /** The numbers of the last event that was taken. */
  get numbers(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#names.map((name, index) => [name, this.#taken[index] ?? 0]))
  }

  /** Keeps the numbers of the event that was looked at last. */
  take(): void {
    for (let index = 0; index < this.#seen.length; index += 1) {
      this.#taken[index] = this.#seen[index] as number
    }
  }

  /** Where the holes end that begin here, with what is behind the last; -1 if they are not there. */
  endIn(run: TextRun, begin: number): number {
    let at = begin
    let numbers = 0
    for (let index = 0; index < this.#holes.length; index += 1) {
      const { kind, after } = this.#holes[index] as KnownHole
      if (kind === 'text') {
        const end = run.endOfText(at)
        if (end <= at) return -1
        at = end
      } else if (kind === 'number') {
        at = endOfNumber(run, at, this.#seen, numbers)
        if (at === -1) return -1
        numbers += 1
      } else {
        at = kind === 'word' ? endOfWord(run, at) : endOfBlanks(run, at)
      }
      if (!after.isAt(run.view, at, run.end)) return -1
      at += after.length
    }
    return at
  }
}

/** Where a whole number ends, as JSON writes them; -1 if there is none. */
function endOfNumber(
  { bytes, end }: VisibleBytes,
  begin: number,
  numbers: Float64Array,
  index: number,
): number {
  let value = 0
  let at = begin
  for (; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte < ZERO || byte > NINE) break
    value = value * 10 + byte - ZERO
  }
  const digits = at - begin
  if (digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[begin] === ZERO)) return -1
  numbers[index] = value
  return at
}

function endOfWord({ bytes, end }: VisibleBytes, begin: number): number {
  let at = begin
  while (at < end && IS_WORD[bytes[at] as number] === 1) at += 1
  return at
}

function endOfBlanks({ bytes, end }: VisibleBytes, begin: number): number {
  let at = begin
  while (at < end && bytes[at] === SPACE) at += 1
  return at
}

const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/\w/.test(String.fromCharCode(byte)) ? 1 : 0))
