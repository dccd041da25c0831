import type { DialectName } from '@hydra/core'
import type { Call } from './write-answer.ts'

/** An agent that is tried on every upstream. How it is sent to the proxy is known to `hydra run`. */
export interface MatrixAgent {
  /** Its program, as `hydra run` knows it. */
  readonly name: string
  /** The package on npm that brings it, and the version that is tried. */
  readonly npm: string
  readonly version: string
  /** The dialects that it is tried with, its usual one first. */
  readonly dialects: readonly DialectName[]
  /** The names of the scenes that it plays; without them all. */
  readonly scenes?: readonly string[]
  /** The call of its tool that runs a command of the shell. */
  readonly shell: (command: string) => Call
  /** Its arguments for one prompt without a user who could be asked. */
  words(prompt: string): readonly string[]
  /** The same to go on with the last conversation, if it has to be told to. */
  goOn?(prompt: string): readonly string[]
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Settings in its home folder. */
  readonly settings?: Readonly<Record<string, unknown>>
}
