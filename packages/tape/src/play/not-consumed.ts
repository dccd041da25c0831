import type { TapeProblem } from '../format/tape.ts'
import type { Miss } from '../match/explain-miss.ts'
import type { Matchable } from '../match/entry.ts'

interface Outcome {
  readonly folder: string
  readonly problems: readonly TapeProblem[]
  readonly misses: readonly Miss[]
  readonly unconsumed: readonly Matchable[]
}

/** A tape that was not played as it was recorded. */
export class NotConsumed extends Error {
  override readonly name = 'NotConsumed'

  constructor(message: string) {
    super(message)
    // Where it was noticed says nothing; test runners print that place with the lines around it.
    this.stack = `${this.name}: ${message}`
  }
}

/** The error that says what was not played as it was recorded; undefined if everything was. */
export function notConsumed({ folder, problems, misses, unconsumed }: Outcome): Error | undefined {
  if (misses.length === 0 && unconsumed.length === 0) return undefined
  const lines = [
    ...misses.map(({ explanation }) => explanation),
    ...unconsumed.map(
      ({ exchange, call, request: { method, path } }) =>
        `nobody asked for exchange ${exchange}${call > 1 ? ` (call ${call})` : ''}: ${method} ${path}`,
    ),
    ...problems.map(
      ({ line, reason }) => `the tape is damaged${line > 0 ? ` in line ${line}` : ''}: ${reason}`,
    ),
  ]
  return new NotConsumed(`the tape ${folder} was not played as recorded:\n- ${lines.join('\n- ')}`)
}
