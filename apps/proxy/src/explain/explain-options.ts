import { parseArgs } from 'node:util'
import { UsageError } from '../cli/usage-error.ts'

/** What `hydra explain --help` prints. */
export const EXPLAIN_HELP = `hydra explain: how a request is translated, block by block

Usage
  hydra explain FILE [options]

FILE is a Messages request as JSON, a tape (its folder or its tape.jsonl), or - for a request on standard input.
It shows where each block went, what was repaired, merged, moved or dropped and why, and what is wrong with the
history as it came. Nothing is sent anywhere. Texts are shown, but shortened.

Options
      --profile NAME   the provider it is translated for; default generic, or what the tape says
  -m, --model NAME     the model it is translated for; default the one it asks for, or what the tape says
      --exchange N     which exchange of a tape; default the last one, which holds the longest history
      --json           the same as one JSON value
  -h, --help           this text

Examples
  hydra explain request.json
  hydra explain request.json --profile gemini --model gemini-2.5-pro
  hydra explain tapes/claude-code-parallel-tools --exchange 2
  hydra explain - --json < request.json
`

/** What was typed after `hydra explain`. */
export interface ExplainOptions {
  readonly file: string
  readonly profile?: string | undefined
  readonly model?: string | undefined
  readonly exchange?: number | undefined
  readonly json: boolean
}

const OPTIONS = {
  profile: { type: 'string' },
  model: { type: 'string', short: 'm' },
  exchange: { type: 'string' },
  json: { type: 'boolean' },
} as const

/** Reads the arguments of `hydra explain`. */
export function parseExplainOptions(args: readonly string[]): ExplainOptions {
  const { values, positionals } = parseTyped(args)
  const [file, more] = positionals
  if (file === undefined) throw new UsageError('hydra explain needs a file; see hydra explain --help')
  if (more !== undefined) throw new UsageError(`hydra explain takes one file, got '${more}' as well`)
  const { profile, model, exchange, json = false } = values
  return {
    file,
    profile,
    model,
    exchange: exchange === undefined ? undefined : exchangeNumber(exchange),
    json,
  }
}

function exchangeNumber(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed)
  throw new UsageError(`--exchange ${typed}: expected a whole number from 1 on`)
}

type Typed = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>

function parseTyped(args: readonly string[]): Typed {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const unknown = /^Unknown option '([^']+)'/.exec(line)
    throw new UsageError(unknown === null ? line : `unknown option ${unknown[1]}; see hydra explain --help`)
  }
}
