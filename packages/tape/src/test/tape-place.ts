import { basename, dirname, join } from 'node:path'

/** The test that a tape belongs to. */
export interface TestOfTape {
  /** The path of the file that the test is in. */
  readonly file: string
  /** The full name of the test. */
  readonly test: string
  /** A name for the tape; by default that of the test. */
  readonly name?: string | undefined
}

/** Longer names do not fit into every file system. */
const MAX_NAME = 80

/** The folder of a test's tape: beside its file, named after the file and the test. */
export function tapePlace({ file, test, name = test }: TestOfTape): string {
  const safe = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase()
  if (safe === '') throw new Error(`useTape: expected a name with letters or digits, got '${name}'`)
  return join(dirname(file), '__tapes__', basename(file), safe.slice(0, MAX_NAME).toWellFormed())
}
