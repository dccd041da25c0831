import { run } from '@hydra/proxy/run'
import { serve } from '@hydra/proxy/serve'
import type { Command } from '../command.ts'
import { checkWritable } from './check-writable.ts'
import { newTapes, tapeSizes } from './new-tapes.ts'
import { parseRecord, type TypedRecord } from './parse-record.ts'
import { reportRecorded } from './report-recorded.ts'

const HELP = `hydra-tape record: run the proxy with recording on, and a command against it

Usage
  hydra-tape record [--out DIR] [options of hydra] [-- COMMAND …]

With a command, a proxy of its own is started on a free port, the command is run against it as hydra run does it, with
what each agent and the SDKs need, and its exit code comes back. Without one the proxy runs until it is stopped.
Keys, e-mail addresses and your home directory are replaced before anything is written; look at a tape before you
share it all the same: what was talked about is on it.

Options
      --out DIR   where the tapes go, one folder per session; default: tapes
      --json      say at the end in JSON what was recorded: on standard error with a command; without one as the last
                  line of standard output, where the log is JSON too (--log json)
  and everything that hydra serve takes: --model, --provider, --target-url, --passthrough, --config, --record-policy …

Exit codes
  that of the command; without a command 0
  2  what was typed makes no sense, the command was not found, or nothing can be written to DIR

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
    const typed = parseRecord(args, surroundings.env)
    checkWritable(typed.out)
    const before = tapeSizes(typed.out)
    const code = await recordWith(typed)
    const { json, command } = typed
    const jsonTo = command === undefined ? 'out' : 'err'
    reportRecorded(newTapes(typed.out, before), { jsonTo: json ? jsonTo : undefined, surroundings })
    return code
  },
}

function recordWith({ out, json, options, command }: TypedRecord): Promise<number> {
  const recording = ['--record', out, ...options]
  if (command !== undefined) return run([...portOf(options), ...recording, '--', ...command])
  return serve([...(json ? logOf(options) : []), ...recording])
}

/** A proxy that runs already does not record, so ours listens elsewhere unless told where. */
function portOf(options: readonly string[]): readonly string[] {
  return options.some((word) => /^(?:-p|--port)(?:=|$)/.test(word)) ? [] : ['--port', '0']
}

/** With `--json` nothing else goes to standard output. */
function logOf(options: readonly string[]): readonly string[] {
  return options.some((word) => /^--log(?:=|$)/.test(word)) ? [] : ['--log', 'json']
}
