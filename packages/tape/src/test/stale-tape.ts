import type { Answers } from '../play/answers.ts'

/** A tape that no longer fits its test: what changed, and the command that records it anew. */
export class StaleTape extends Error {
  override readonly name = 'StaleTape'

  constructor(folder: string, changes: readonly string[], command: string) {
    super(
      `the tape ${folder} no longer fits the test:\n- ${changes.join('\n- ')}\nto record it anew: ${command}`,
    )
    // The place in our code where this was noticed says nothing; test runners print it with ten lines of source.
    this.stack = `${this.name}: ${this.message}`
  }
}

/** What is not as recorded, in words; empty if everything is. */
export function changesOf({ misses, unconsumed, problems }: Answers): readonly string[] {
  if (misses.length > 0) return [...new Set(misses.map(({ explanation }) => explanation))]
  if (unconsumed.length === 0) return []
  return [
    ...unconsumed.map(
      ({ exchange, request: { method, path } }) => `nobody asked for exchange ${exchange}: ${method} ${path}`,
    ),
    ...problems.map(
      ({ line, reason }) => `the tape is damaged${line > 0 ? ` in line ${line}` : ''}: ${reason}`,
    ),
  ]
}
