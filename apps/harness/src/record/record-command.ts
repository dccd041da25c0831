import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'
import { run } from '@hydra/proxy/run'
import { serve } from '@hydra/proxy/serve'
import { defaultRedaction, readTape, scanTape } from '@hydra/tape'
import { type Command, type Surroundings, UsageError } from '../command.ts'
import { tapeFolders } from '../regress/tape-folders.ts'

const HELP = `hydra-tape record: run the proxy with recording on, and a command against it

Usage
  hydra-tape record [--out DIR] [options of hydra] [-- COMMAND …]

With a command, a proxy of its own is started on a free port, the command is run against it with the environment that
Claude Code and the Anthropic SDKs read, and its exit code comes back. Without one the proxy runs until it is stopped.
Keys, e-mail addresses and your home directory are replaced before anything is written; look at a tape before you
share it all the same: what was talked about is on it.

Options
      --out DIR   where the tapes go, one folder per session; default: tapes
      --json      say at the end in JSON what was recorded (on standard error with a command)
  and everything that hydra serve takes: --model, --provider, --target-url, --passthrough, --config, --record-policy …

Examples
  hydra-tape record -- claude -p "say hi"                       with the built-in demo model
  OPENAI_API_KEY=… hydra-tape record --model gpt-5.1 -- claude
  hydra-tape record --out tapes --provider ollama --model qwen3-coder
`

/** Records what a command does. */
export const recordCommand: Command = {
  name: 'record',
  summary: 'run the proxy with recording on, and a command against it',
  help: HELP,
  async run(args, surroundings) {
    const { out, json, options, command } = parse(args)
    const before = exchangesBelow(out)
    const recording = ['--record', out, ...options]
    const code =
      command === undefined
        ? await serve(recording)
        : await run([...portOf(options), ...recording, '--', ...command])
    const changed = [...exchangesBelow(out)].filter(([folder, count]) => count !== before.get(folder))
    tell(changed, { json, surroundings })
    return code
  },
}

interface Typed {
  readonly out: string
  readonly json: boolean
  readonly options: readonly string[]
  readonly command: readonly string[] | undefined
}

/** Takes out what is ours; everything else is for the proxy. */
function parse(args: readonly string[]): Typed {
  const end = args.indexOf('--')
  const own = [...(end === -1 ? args : args.slice(0, end))]
  const command = end === -1 ? undefined : args.slice(end + 1)
  if (command?.length === 0) throw new UsageError('record: expected a command behind --')
  const json = take(own, '--json') !== undefined
  return { out: resolve(takeValue(own, '--out') ?? 'tapes'), json, options: own, command }
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

/** A proxy that runs already does not record, so ours listens elsewhere unless told where. */
function portOf(options: readonly string[]): readonly string[] {
  return options.some((word) => /^(?:-p|--port)(?:=|$)/.test(word)) ? [] : ['--port', '0']
}

function exchangesBelow(folder: string): Map<string, number> {
  try {
    return new Map(tapeFolders([folder], process.cwd()).map((tape) => [tape, countOf(tape)]))
  } catch (error) {
    // Before the first recording there is no folder, or no tape in it.
    if (error instanceof UsageError) return new Map()
    throw error
  }
}

function countOf(folder: string): number {
  try {
    return readTape(folder).exchanges.length
  } catch {
    return 0
  }
}

/** Says what is on the new tapes and what to do with them; the command may own standard output. */
function tell(
  recorded: readonly (readonly [folder: string, exchanges: number])[],
  { json, surroundings }: { readonly json: boolean; readonly surroundings: Surroundings },
): void {
  const redaction = defaultRedaction(surroundings.env, homedir())
  const tapes = recorded.map(([folder, exchanges]) => ({
    folder,
    exchanges,
    secrets: scanTape(folder, redaction).length,
  }))
  if (json) {
    surroundings.err(`${JSON.stringify({ tapes })}\n`)
    return
  }
  if (tapes.length === 0) surroundings.err('hydra-tape: nothing was recorded: no request came\n')
  for (const { folder, exchanges, secrets } of tapes) {
    const shown = relative(process.cwd(), folder) || folder
    const warning = secrets === 0 ? '' : `; ${secrets} secrets are left in it, see hydra-tape scan ${shown}`
    surroundings.err(`hydra-tape: recorded ${exchanges} exchanges in ${shown}${warning}\n`)
    surroundings.err(`  look at it: hydra-tape show ${shown}; play it: hydra-tape serve ${shown}\n`)
  }
}
