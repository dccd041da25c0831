import type { Figure, Suite } from '../suite.ts'
import { STANDARD } from '../dialects/benched.ts'
import type { AnswerStream } from '../dialects/benched-dialect.ts'
import { translations } from './pair-exchange.ts'
import { argumentPieces, reads, words } from './streams.ts'

const EARLY_EVENTS = 1000
const EVENTS = 100_000
const RUNS = 3

/**
 * How many kilobytes a stream may hold more at its end. One byte kept per event would be 100 KB; what is
 * below this is the engine's own: code and feedback of functions that it compiles meanwhile.
 */
const LIMIT = 64

/** The heap that a long stream holds at its end beyond what it held near its beginning. */
export function memoryFigures(progress: Parameters<Suite>[0]): Figure[] {
  progress('memory')
  const { text, call } = STANDARD.upstream.benched
  const calls = call === undefined ? [] : [figureOf('tool-argument', call(argumentPieces()))]
  return [figureOf('text', text(words())), ...calls]
}

function figureOf(kind: string, stream: AnswerStream): Figure {
  const pieces = reads(stream, 1)
  // The first run is the compiler's. Of the others the least counts: what a stream keeps shows in every run,
  // what the engine keeps for itself does not.
  run(stream, pieces)
  const growths = Array.from({ length: RUNS }, () => run(stream, pieces))
  return {
    name: `heap after ${EVENTS.toLocaleString('en')} ${kind} events`,
    value: Math.min(...growths) / 1024,
    unit: 'KB',
    limit: LIMIT,
    detail: `beyond that after ${EARLY_EVENTS.toLocaleString('en')}`,
  }
}

/** By how many bytes the heap grew between the early events and the last. */
function run(stream: AnswerStream, pieces: readonly Uint8Array[]): number {
  const translation = translations(STANDARD)()
  translation.pushRaw(stream.opening)
  // The first piece and the last open and close the arguments of a call; what is between them may go on for ever.
  translation.pushRaw(pieces[0] as Uint8Array)
  let early = 0
  for (let sent = 0; sent < EVENTS; sent += 1) {
    if (sent === EARLY_EVENTS) early = heapUsed()
    translation.pushRaw(pieces[1 + (sent % (pieces.length - 2))] as Uint8Array)
  }
  const late = heapUsed()
  translation.pushRaw(pieces.at(-1) as Uint8Array)
  translation.pushRaw(stream.closing)
  if (translation.failure !== undefined || !translation.ended) throw new Error('a stream did not end well')
  return late - early
}

function heapUsed(): number {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('start it with node --expose-gc, as `pnpm bench` does')
  // What the first collection only marks, the second one frees.
  gc()
  gc()
  return process.memoryUsage().heapUsed
}
