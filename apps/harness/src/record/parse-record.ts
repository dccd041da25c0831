import { typedPath } from '@hydra/proxy/typed-path'
import { type Surroundings, UsageError } from '../command.ts'

/** What was typed after `record`. */
export interface TypedRecord {
  /** Where the tapes go, the whole path. */
  readonly out: string
  readonly json: boolean
  /** What is for the proxy. */
  readonly options: readonly string[]
  readonly command: readonly string[] | undefined
}

/** Takes out what is ours; everything else is for the proxy. */
export function parseRecord(args: readonly string[], env: Surroundings['env']): TypedRecord {
  const end = args.indexOf('--')
  const own = [...(end === -1 ? args : args.slice(0, end))]
  const command = end === -1 ? undefined : args.slice(end + 1)
  if (command?.length === 0) throw new UsageError('record: expected a command behind --')
  const json = take(own, '--json') !== undefined
  const out = typedPath(takeValue(own, '--out') ?? 'tapes', env)
  refuseCommandIn(own)
  return { out, json, options: own, command }
}

function take(args: string[], name: string): string | undefined {
  const at = args.indexOf(name)
  return at === -1 ? undefined : args.splice(at, 1)[0]
}

function takeValue(args: string[], name: string): string | undefined {
  const joined = args.findIndex((word) => word.startsWith(`${name}=`))
  if (joined !== -1) return args.splice(joined, 1)[0]?.slice(name.length + 1)
  const at = args.indexOf(name)
  if (at === -1) return undefined
  const [, value] = args.splice(at, 2)
  if (value === undefined || value === '') throw new UsageError(`${name}: expected a folder`)
  return value
}

/** A first word that is no option is a command whose `--` was forgotten. */
function refuseCommandIn([word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-')) return
  throw new UsageError(`record: the command stands behind --, as in: hydra-tape record -- ${word}`)
}
