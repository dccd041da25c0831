import * as fc from 'fast-check'
import { callEvent, endEvent, type QEvent, textEvent, thinkingEvent } from './frames.ts'

/** One block that a model means to send. */
export type MeantBlock =
  | { readonly type: 'text' | 'thinking'; readonly content: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown }

/** An answer as the service may word it. */
export interface MeantAnswer {
  readonly blocks: readonly MeantBlock[]
  readonly events: readonly QEvent[]
}

const TEXT = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const PIECES = fc.array(TEXT, { minLength: 1, maxLength: 4 })
/** Any JSON object as JSON has it: written once, so that `-0` is the `0` that every reader gets. */
const INPUT = fc
  .dictionary(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((input) => JSON.parse(JSON.stringify(input)) as object)
const NAME = fc.constantFrom('Read', 'Bash', 'constructor')

interface MeantCall {
  readonly name: string
  readonly input: object
  /** How long its pieces are. */
  readonly size: number
  /** Whether its stop comes with its last piece. */
  readonly stopsAtOnce: boolean
}

type Part =
  | { readonly type: 'text' | 'thinking'; readonly pieces: readonly string[] }
  | { readonly type: 'calls'; readonly calls: readonly MeantCall[] }

const CALL: fc.Arbitrary<MeantCall> = fc.record({
  name: NAME,
  input: INPUT,
  size: fc.integer({ min: 1, max: 12 }),
  stopsAtOnce: fc.boolean(),
})
const PART: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'thinking'), pieces: PIECES }),
  fc.record({ type: fc.constant('calls' as const), calls: fc.array(CALL, { minLength: 1, maxLength: 3 }) }),
)

/** Random answers: text and thinking in pieces, calls in pieces that are interleaved, and the last event. */
export const meantAnswer: fc.Arbitrary<MeantAnswer> = fc
  .array(PART, { minLength: 1, maxLength: 5 })
  .map((parts) => {
    const distinct = parts.filter(
      (part, index) => part.type === 'calls' || part.type !== parts[index - 1]?.type,
    )
    const hasCalls = distinct.some(({ type }) => type === 'calls')
    return {
      blocks: distinct.flatMap(blocksIn),
      events: [
        ...distinct.flatMap((part, index) => eventsIn(part, index)),
        endEvent(hasCalls ? 'TOOL_USE' : 'END_TURN'),
      ],
    }
  })

function blocksIn(part: Part): MeantBlock[] {
  if (part.type !== 'calls') return [{ type: part.type, content: part.pieces.join('') }]
  return part.calls.map(({ name, input }) => ({ type: 'tool_use', name, input }))
}

function eventsIn(part: Part, number: number): QEvent[] {
  if (part.type !== 'calls') return part.pieces.map(part.type === 'text' ? textEvent : thinkingEvent)
  const runs = part.calls.map((call, index) => callEvents(call, `t${number}_${index}`))
  // The first of each, then the second of each: the calls are interleaved, and end at different times.
  const longest = Math.max(...runs.map((run) => run.length))
  return Array.from({ length: longest }, (_, at) => runs.flatMap((run) => run.slice(at, at + 1))).flat()
}

function callEvents({ name, input, size, stopsAtOnce }: MeantCall, id: string): QEvent[] {
  const json = JSON.stringify(input)
  const pieces: string[] = []
  for (let at = 0; at < json.length; at += size) pieces.push(json.slice(at, at + size))
  const events = pieces.map((piece, index) =>
    callEvent(id, { input: piece, ...(stopsAtOnce && index === pieces.length - 1 && { stop: true }) }, name),
  )
  return stopsAtOnce ? events : [callEvent(id, {}, name), ...events, callEvent(id, { stop: true }, name)]
}
