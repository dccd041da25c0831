import { didYouMean, helpText, parseArguments, UsageError } from '@hydra/cli'
import { type DialectName, registry } from '@hydra/core'
import type { NamedValue } from '../settings/options.ts'
import { providerLines } from '../settings/providers.ts'

const CLIENTS = registry.clients.map(({ name }) => name)

const OPTIONS = {
  provider: {
    type: 'string',
    value: 'NAME',
    text: 'the provider it is translated for; default generic, or what the tape says',
  },
  profile: { type: 'string', value: 'NAME', text: 'the same under its older name' },
  model: {
    type: 'string',
    short: 'm',
    value: 'NAME',
    text: 'the model it is translated for; default the one it asks for, or what the tape says',
  },
  client: {
    type: 'string',
    value: 'DIALECT',
    text: `the dialect that it is written in: ${CLIENTS.join(', ')}; default the first, or what the tape says`,
  },
  exchange: {
    type: 'string',
    value: 'N',
    text: 'which exchange of a tape; default the last one, which holds the longest history',
  },
  json: { type: 'boolean', text: 'the same as one JSON value' },
} as const

/** What `hydra explain --help` prints. */
export const EXPLAIN_HELP: string = helpText({
  title: 'hydra explain: how a request is translated, block by block',
  usage: ['hydra explain FILE [options]'],
  about: `FILE is a request as JSON in any dialect that clients speak, a tape (its folder or its tape.jsonl), or - for a request on standard input.
It shows where each block went, what was repaired, merged, moved or dropped and why, and what is wrong with the
history as it came. Nothing is sent anywhere. Texts are shown, but shortened.`,
  options: OPTIONS,
  sections: { 'Providers, the variable of their key, and their address': providerLines() },
  examples: [
    'hydra explain request.json',
    'hydra explain request.json --provider gemini --model gemini-2.5-pro',
    'hydra explain tapes/claude-code-parallel-tools --exchange 2',
    'hydra explain - --json < request.json',
  ],
})

/** What was typed after `hydra explain`. */
export interface ExplainOptions {
  readonly file: string
  /** The provider whose profile is used, and the option that names it. */
  readonly provider?: NamedValue | undefined
  readonly model?: string | undefined
  /** The dialect that the request is written in. */
  readonly client?: DialectName | undefined
  readonly exchange?: number | undefined
  readonly json: boolean
}

/** Parses the arguments of `hydra explain`. */
export function parseExplainOptions(args: readonly string[]): ExplainOptions {
  const { values, positionals } = parseArguments(args, { command: 'hydra explain', options: OPTIONS })
  const [file, more] = positionals
  if (file === undefined) throw new UsageError('hydra explain needs a file; see hydra explain --help')
  if (more !== undefined) throw new UsageError(`hydra explain takes one file, got '${more}' as well`)
  const { provider, profile, model, client, exchange, json = false } = values
  if (provider !== undefined && profile !== undefined) {
    throw new UsageError('--provider and --profile are the same; leave out one of the two')
  }
  return {
    file,
    provider: named('--provider', provider) ?? named('--profile', profile),
    model,
    client: client === undefined ? undefined : clientNamed(client),
    exchange: exchange === undefined ? undefined : exchangeNumber(exchange),
    json,
  }
}

function named(name: string, value: string | undefined): NamedValue | undefined {
  return value === undefined ? undefined : { name, value }
}

function clientNamed(typed: string): DialectName {
  // Asked when it is needed: more dialects may have been registered since.
  const names = registry.clients.map(({ name }) => name)
  if (names.includes(typed)) return typed
  const expected = [`expected one of ${names.join(', ')}`, didYouMean(typed, names) ?? []].flat()
  throw new UsageError(`--client ${typed}: ${expected.join('; ')}`)
}

function exchangeNumber(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed)
  throw new UsageError(`--exchange ${typed}: expected a whole number from 1 on`)
}
