import { providers } from '@hydra/core'
import {
  didYouMean,
  takeOptions,
  typedPath,
  UsageError,
  visibleLine,
  wholeNumber,
  workingFolder,
} from '@hydra/cli'
import { findCommand, launch } from '@hydra/proxy/launch'
import { startProxy } from '@hydra/proxy/start-proxy'
import type { Tape, TapeDraft } from '@hydra/tape'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { commandBehindDashes } from '../rerun/command-behind-dashes.ts'
import { type Front, startFront } from '../rerun/front.ts'
import { openOnlyTape } from '../serve/open-only-tape.ts'
import { countOf } from '@hydra/inspector/summary'
import { unaskedFor, verdictLine } from '../verdict/verdict.ts'
import { ForkRecording } from './fork-recording.ts'

const HELP = `hydra-tape fork TAPE --at N [--to PROVIDER:MODEL] -- COMMAND …: let another model go on from there

Runs the command as hydra run does it. The first N exchanges are answered from the tape, and everything after them by
another model. The agent's tools run for real, so run it where the recorded session began, or in a copy of that. All
of it is recorded on a tape of its own, for hydra-tape compare.

Options
  --at N               the last exchange that is replayed; 0 replays nothing
  --to PROVIDER:MODEL  the model that goes on; without it, what the options of hydra say
  --out FOLDER         the new tape, default TAPE-fork-N
  -h, --help           this text
  and everything that hydra serve takes: --model, --provider, --target-url, --config …

Exit codes
  0  the command ended well, and the fork is recorded
  1  it did not, or it never came to the place of the fork
  2  what was typed makes no sense, or the tape cannot be read

Example
  hydra-tape fork tapes/session --at 7 --to openai:gpt-5.1 -- claude -p "fix the test"
`

const GRAMMAR = {
  command: 'hydra-tape fork',
  options: {
    at: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean' },
  },
} as const

/** Replays the beginning of a session and lets another model go on. */
export const forkCommand: Command = {
  name: 'fork',
  summary: 'replay a session up to an exchange and let another model go on from there',
  help: HELP,
  async run(args, surroundings) {
    const { own, line } = commandBehindDashes('fork', args)
    const { values, rest } = takeOptions(own.slice(1), GRAMMAR)
    const [path = ''] = own
    if (path.startsWith('-')) throw new UsageError(`fork: expected the tape first, got '${path}'`)
    if (values.at === undefined)
      throw new UsageError('fork: expected --at N, the last exchange that is replayed')
    const tape = openOnlyTape('fork', { paths: path === '' ? [] : [path], env: surroundings.env })
    const at = placeOf(tape, values.at)
    const folder = typedPath(values.out ?? `${path.replace(/\/+$/, '')}-fork-${at}`, surroundings.env)
    return forkAt(tape, { at, folder, line, options: [...targetOf(values.to), ...rest] }, surroundings)
  },
}

interface Fork {
  readonly at: number
  readonly folder: string
  readonly line: readonly [string, ...string[]]
  /** What is for the proxy. */
  readonly options: readonly string[]
}

function placeOf({ exchanges }: Tape, typed: string): number {
  const at = wholeNumber('at', typed, 0)
  const last = exchanges.at(-1)?.number ?? 0
  if (at <= last) return at
  throw new UsageError(`--at: the tape ends with exchange ${last}, got '${typed}'`)
}

function targetOf(typed: string | undefined): readonly string[] {
  if (typed === undefined) return []
  const colon = typed.indexOf(':')
  if (colon < 1 || colon === typed.length - 1) {
    throw new UsageError(`--to: expected PROVIDER:MODEL such as openai:gpt-5.1, got '${typed}'`)
  }
  const provider = typed.slice(0, colon)
  const names = Object.keys(providers)
  if (!names.includes(provider)) {
    const expected = [`expected one of ${names.join(', ')}`, didYouMean(provider, names) ?? []].flat()
    throw new UsageError(`--to ${typed}: ${expected.join('; ')}`)
  }
  return ['--provider', provider, '--model', typed.slice(colon + 1)]
}

async function forkAt(tape: Tape, fork: Fork, surroundings: Surroundings): Promise<number> {
  const { at, folder, line, options } = fork
  const workspace = workingFolder(surroundings.env)
  const recording = new ForkRecording(tape, { at, folder, workspace })
  const live = await startProxy(options, (secrets) => recording.begin(secrets))
  const { draft } = recording
  const front = await startFront(beginningOf(tape, at), {
    workspace,
    live,
    onReplay: (found, came) => recording.replayed(found, came),
  })
  try {
    const proxy = { url: front.url, key: undefined, passes: false }
    const found = findCommand(line, { env: surroundings.env })
    const code = await launch(found, proxy, (text) => surroundings.err(`hydra-tape: ${text}\n`))
    const lived = draft.exchanges - recording.replays
    const reason = troubleOf({ code, lived, draft, front })
    if (draft.exchanges === 0) draft.discard()
    else draft.keep()
    const replayed = countOf(recording.replays, 'exchange')
    const done = `${replayed} replayed, ${lived} of the other model, recorded in ${visibleLine(folder)}`
    surroundings.err(verdictLine({ passed: reason === undefined, reason: reason ?? done }))
    return reason === undefined ? EXIT.ok : EXIT.found
  } finally {
    await front.stop()
    await live.stop()
  }
}

function beginningOf(tape: Tape, at: number): Tape {
  return { ...tape, exchanges: tape.exchanges.filter(({ number }) => number <= at) }
}

interface Ended {
  readonly code: number
  readonly lived: number
  readonly draft: TapeDraft
  readonly front: Front
}

function troubleOf({ code, lived, draft, front }: Ended): string | undefined {
  if (draft.exchanges === 0) return 'the command asked for nothing'
  if (code !== 0) return `the command ended with ${code}`
  const left = front.answers.unconsumed.map(({ exchange }) => exchange)
  if (left.length > 0) return `it left the recorded way: ${unaskedFor(left)}`
  return lived === 0 ? 'it ended before the other model was asked' : undefined
}
