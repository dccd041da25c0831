import { suites } from './suites.ts'

/** What the command line asks for. */
export interface Command {
  readonly suites: readonly string[]
  readonly isCheck: boolean
  readonly isHelp: boolean
}

const OPTIONS: ReadonlySet<string> = new Set(['--check', '--help', '-h'])

/** Reads the arguments; what is not understood is an error that says what would be. */
export function parseCommandLine(given: readonly string[]): Command {
  // Package managers pass on the `--` that separates their own options from ours.
  const words = given.filter((word) => word !== '--')
  const options = words.filter((word) => word.startsWith('-'))
  const names = words.filter((word) => !word.startsWith('-'))
  const unknownOption = options.find((option) => !OPTIONS.has(option))
  if (unknownOption !== undefined) throw new Error(`unknown option '${unknownOption}'; try --help`)
  const unknownSuite = names.find((name) => !suites.has(name))
  if (unknownSuite !== undefined) {
    throw new Error(`unknown suite '${unknownSuite}'; the suites are: ${[...suites.keys()].join(', ')}`)
  }
  return {
    suites: names.length === 0 ? [...suites.keys()] : names,
    isCheck: options.includes('--check'),
    isHelp: options.includes('--help') || options.includes('-h'),
  }
}

/** What `--help` prints. */
export function helpText(): string {
  const list = [...suites].map(([name, { description }]) => `  ${name.padEnd(10)}${description}`)
  return `usage: pnpm bench [suite...] [--check]

Measures what a translation costs, as a ratio against a floor: the least that any program would have to do
with the same data. Floor and subject take turns in one run, so the load of the machine falls on both.
Without a suite, all of them run.

suites:
${list.join('\n')}

options:
  --check   exit with 1 when a limit is exceeded; without it the figures are only reported
  --help    print this
`
}
