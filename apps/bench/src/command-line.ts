import { columns, didYouMean, helpText as textOf, parseArguments, UsageError } from '@hydra/cli'
import { namedPair, PAIRS } from './dialects/benched.ts'
import type { Wishes } from './suite.ts'
import { suites } from './suites.ts'

/** What the command line asks for. */
export interface Command extends Wishes {
  readonly suites: readonly string[]
  readonly isCheck: boolean
  readonly isHelp: boolean
}

const OPTIONS = {
  check: {
    type: 'boolean',
    text: 'exit with 1 when a limit is exceeded; without it the figures are only reported',
  },
  pairs: {
    type: 'boolean',
    text: 'proxy and tape: every client with every upstream, in fewer rounds; takes about half an hour',
  },
  pair: {
    type: 'string',
    multiple: true,
    value: 'CLIENT/UPSTREAM',
    text: 'proxy and tape: one pair, such as anthropic/gemini; may be repeated',
  },
  quick: {
    type: 'boolean',
    text: 'few rounds after a short warm-up: figures that scatter more and are rather too high, in a minute or two',
  },
  help: { type: 'boolean', short: 'h', text: 'this text' },
} as const

/** Parses the arguments; a mistake is a `UsageError`. */
export function parseCommandLine(given: readonly string[]): Command {
  // Package managers pass on the `--` that separates their own options from ours.
  const words = given.filter((word) => word !== '--')
  const { values, positionals } = parseArguments(words, { command: 'pnpm bench', options: OPTIONS })
  const names = [...suites.keys()]
  const unknown = positionals.find((name) => !suites.has(name))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names) ?? `the suites are: ${names.join(', ')}`
    throw new UsageError(`unknown suite '${unknown}'; ${hint}`)
  }
  return {
    suites: positionals.length === 0 ? names : positionals,
    isCheck: values.check ?? false,
    isQuick: values.quick ?? false,
    isHelp: values.help ?? false,
    pairs: values.pairs === true ? PAIRS : values.pair?.map((name) => namedPair(name)),
  }
}

/** What `--help` prints. */
export function helpText(): string {
  return textOf({
    title: 'bench: what a translation costs',
    usage: ['pnpm bench [suite...] [--pairs] [--quick] [--check]'],
    about: `Measures what a translation costs, as a ratio against a floor: the least that any program would have to do
with the same data. Floor and subject take turns in one run, so the load of the machine falls on both.
Without a suite, all of them run.`,
    options: OPTIONS,
    sections: { Suites: columns([...suites].map(([name, { description }]) => [name, description])) },
    examples: ['pnpm bench', 'pnpm bench core --check', 'pnpm bench proxy --quick'],
  })
}
