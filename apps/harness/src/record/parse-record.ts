import { takeOptions, typedPath, UsageError } from '@hydra/cli'
import type { Surroundings } from '../command.ts'

/** What was typed after `record`. */
export interface TypedRecord {
  /** Where the tapes go, the whole path. */
  readonly out: string
  readonly json: boolean
  /** What is for the proxy. */
  readonly options: readonly string[]
  readonly command: readonly string[] | undefined
}

const GRAMMAR = {
  command: 'hydra-tape record',
  options: { out: { type: 'string' }, json: { type: 'boolean' } },
} as const

/** Takes out what is ours; everything else is for the proxy. */
export function parseRecord(args: readonly string[], env: Surroundings['env']): TypedRecord {
  const end = args.indexOf('--')
  const command = end === -1 ? undefined : args.slice(end + 1)
  if (command?.length === 0) throw new UsageError('record: expected a command behind --')
  const { values, rest } = takeOptions(end === -1 ? args : args.slice(0, end), GRAMMAR)
  refuseCommandIn(rest)
  return { out: typedPath(values.out ?? 'tapes', env), json: values.json ?? false, options: rest, command }
}

/** A first word that is no option is a command whose `--` was forgotten. */
function refuseCommandIn([word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-')) return
  throw new UsageError(`record: the command comes behind --, as in: hydra-tape record -- ${word}`)
}
