import { inject } from 'vitest'

/** The file of each program, by its command. */
export type TestedPrograms = Readonly<Record<string, string>>

declare module 'vitest' {
  interface ProvidedContext {
    readonly programs: TestedPrograms
  }
}

/** The file that a test starts as `hydra` or `hydra-tape`: made of today's sources before the first test. */
export function testedProgram(command: string): string {
  const file = inject('programs')[command]
  if (file === undefined) throw new Error(`the package does not depend on the one of ${command}`)
  return file
}
