import { HubError } from '@hydra/core'
import { splitEvents } from '@hydra/core'
import { judgeCut, judgeOther, judgeSplit, type Verdict } from './oracles.ts'
import { newRandom, type Random } from './random.ts'
import type { Subject } from './subject.ts'

/** The faults that are made in memory. */
export type FaultName = 'cut' | 'reset' | 'stall' | 'split' | 'pieces' | 'mutate' | 'disorder'

/** How the cases of a run are made. */
export interface FaultOptions {
  readonly seed: number
  /** How many answers with a changed byte. */
  readonly runs: number
}

/** One way to break an answer: its cases are numbered, and a number always means the same case. */
export interface Fault {
  /** What the numbers of its cases mean. */
  readonly counts: 'bytes' | 'cases'
  /** How many cases an answer has. */
  size(subject: Subject, options: FaultOptions): number
  /** Breaks the answer in one way and says what is wrong with what comes of it. */
  check(subject: Subject, offset: number, options: FaultOptions): Verdict
}

const RESET = new HubError('api_error', 'upstream: the connection broke (ECONNRESET)', { status: 502 })
const SILENCE = new HubError('timeout_error', 'upstream: silent for too long')

/** The body breaks off after a number of bytes, in one way or another. */
function breakingOff(ending: 'end' | { readonly failure: HubError }): Fault {
  return {
    counts: 'bytes',
    size: ({ bytes }) => bytes.length + 1,
    check(subject, offset) {
      const played = subject.play([subject.bytes.subarray(0, offset)], ending)
      return judgeCut(subject, played, offset)
    },
  }
}

/** An upstream is silent between two events; what it does inside of one differs in nothing from a reset. */
const stall: Fault = {
  counts: 'cases',
  size: ({ bytes }) => splitEvents(bytes).length + 1,
  check(subject, offset) {
    const events = splitEvents(subject.bytes).slice(0, offset)
    const length = events.reduce((sum, event) => sum + event.length, 0)
    return judgeCut(subject, subject.play(events, { failure: SILENCE }), length)
  },
}

const split: Fault = {
  counts: 'bytes',
  size: ({ bytes }) => bytes.length + 1,
  check(subject, offset) {
    const { bytes } = subject
    return judgeSplit(subject, subject.play([bytes.subarray(0, offset), bytes.subarray(offset)], 'end'))
  },
}

/** The first case is the recorded pieces, the second one single bytes, and the others are random pieces. */
const pieces: Fault = {
  counts: 'cases',
  size: (_subject, { runs }) => 2 + Math.min(1000, runs),
  check: (subject, offset, { seed }) =>
    judgeSplit(subject, subject.play(inPieces(subject, offset, newRandom(seed, offset)), 'end')),
}

function inPieces({ bytes, taped }: Subject, number: number, random: Random): Uint8Array[] {
  if (number === 0) return taped.answer.chunks.map((chunk) => chunk.bytes)
  if (number === 1) return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))
  const count = 1 + random.below(1 + random.below(Math.min(64, bytes.length)))
  const places = Array.from({ length: count }, () => random.below(bytes.length + 1))
  const ends = [...places.toSorted((one, other) => one - other), bytes.length]
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

const mutate: Fault = {
  counts: 'cases',
  size: (_subject, { runs }) => runs,
  check(subject, offset, { seed }) {
    const bytes = mutated(subject.bytes, newRandom(seed, offset))
    return judgeOther(subject, subject.play([bytes], 'end'), bytes)
  },
}

/** The same bytes with one of one event deleted, doubled or changed in one bit. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const events = splitEvents(bytes)
  const number = random.below(events.length)
  const before = events.slice(0, number).reduce((length, event) => length + event.length, 0)
  // An event rather than a byte is drawn first: short events such as the last ones are worth as much as long ones.
  const at = before + random.below(events[number]?.length ?? 1)
  const [start, rest] = [bytes.subarray(0, at), bytes.subarray(at + 1)]
  const byte = bytes[at] ?? 0
  switch (random.below(3)) {
    case 0:
      return Buffer.concat([start, rest])
    case 1:
      return Buffer.concat([start, Uint8Array.of(byte, byte), rest])
    default:
      return Buffer.concat([start, Uint8Array.of(byte ^ (1 << random.below(8))), rest])
  }
}

/** How many pairs of events that are not adjacent are swapped. */
const FAR_SWAPS = 200

/** Each event is dropped, doubled and swapped with the next; then events that are apart are swapped. */
const disorder: Fault = {
  counts: 'cases',
  size({ bytes }) {
    const { length } = splitEvents(bytes)
    return 3 * length + (length > 2 ? FAR_SWAPS : 0)
  },
  check(subject, offset, { seed }) {
    const bytes = Buffer.concat(disordered(splitEvents(subject.bytes), offset, newRandom(seed, offset)))
    return judgeOther(subject, subject.play([bytes], 'end'), bytes)
  },
}

function disordered(events: readonly Uint8Array[], number: number, random: Random): readonly Uint8Array[] {
  const at = Math.floor(number / 3)
  if (at >= events.length) return swapped(events, random.below(events.length), random.below(events.length))
  if (number % 3 === 0) return events.toSpliced(at, 1)
  if (number % 3 === 1) return events.toSpliced(at, 0, ...events.slice(at, at + 1))
  return swapped(events, at, at + 1)
}

function swapped(events: readonly Uint8Array[], one: number, other: number): readonly Uint8Array[] {
  const [first, second] = [events[one], events[other]]
  if (first === undefined || second === undefined) return events
  return events.with(one, second).with(other, first)
}

/** All faults, by name. */
export const FAULTS: Readonly<Record<FaultName, Fault>> = {
  cut: breakingOff('end'),
  reset: breakingOff({ failure: RESET }),
  stall,
  split,
  pieces,
  mutate,
  disorder,
}
