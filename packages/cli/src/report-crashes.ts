import { writeSync } from 'node:fs'

const STANDARD_ERROR = 2
const CRASHED = 1

/**
 * Ends the process on a fault of ours, with where it came from. Node would put the line of the source before it, and in
 * a program of one file that is most of the program.
 */
export function reportCrashes(program: string): void {
  process.on('uncaughtException', (thrown: unknown) => {
    const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    try {
      writeSync(STANDARD_ERROR, `${program}: this is a fault of ${program}, please report it: ${stack}\n`)
    } catch {
      // Nobody reads it any more.
    }
    process.exit(CRASHED)
  })
}
