import { once } from 'node:events'
import { oneOf, parseArguments, UsageError, visibleJson, visibleLine, wholeNumber } from '@hydra/cli'
import { playTape, type PlayOptions, type Rechunk, type Tape } from '@hydra/tape'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { openOnlyTape } from './open-only-tape.ts'
import { describePlayed, describePlayedAsJson } from './describe-played.ts'
import { nextStep } from './next-step.ts'

const HELP = `hydra-tape serve TAPE: answer requests with what was recorded

Listens on a loopback port and answers with the recorded status, headers and chunks; no request ever goes on
to a network. Prints a line for each request: which exchange answers it, or why none does.

Options
  --port N        the port, default any that is free
  --as WHO        upstream (the default): what the providers answered; proxy: what the clients were sent
  --speed N       1 keeps the recorded gaps, 10 is ten times as fast, 0 (the default) sends at once
  --rechunk HOW   as-recorded (the default), events, bytes, or random
  --seed N        for --rechunk random; the same seed gives the same chunks
  --match-by HOW  the weakest thing a match may rest on: request, conversation (the default), or order
  --loop          answers again from the beginning when a recording has been used
  --json          prints one JSON object per line
  -h, --help      this text

Exit codes
  0  every request was answered
  1  a request had no recording
  2  what was typed makes no sense, or the tape cannot be read

Example
  hydra-tape serve tapes/session --as proxy --speed 1
  ANTHROPIC_BASE_URL=http://127.0.0.1:… claude -p "…"
`

/** Plays a tape until it is stopped. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'be the upstream or the proxy of a recorded session',
  help: HELP,
  async run(args, surroundings) {
    const { source, options, isJson } = optionsOf(args, surroundings)
    const describe = isJson ? describePlayedAsJson : describePlayed
    const played = await start(source, {
      ...options,
      onRequest: (request) => surroundings.out(`${describe(request)}\n`),
    })
    const recordings = played.unconsumed.length
    tellStart(surroundings, { isJson, url: played.url, source, recordings, leg: options.leg })
    if (!surroundings.signal.aborted) await once(surroundings.signal, 'abort')
    await played.stop()
    const { requests, misses, unconsumed } = played
    const summary = { requests: requests.length, misses: misses.length, unused: unconsumed.length }
    surroundings.out(`${isJson ? JSON.stringify({ stopped: summary }) : describeSummary(summary)}\n`)
    return misses.length === 0 ? EXIT.ok : EXIT.found
  },
}

interface Typed {
  readonly source: Tape
  readonly options: PlayOptions
  readonly isJson: boolean
}

function optionsOf(args: readonly string[], { env }: Pick<Surroundings, 'env'>): Typed {
  const { values, positionals } = parseArguments(args, {
    command: 'hydra-tape serve',
    options: {
      port: { type: 'string' },
      as: { type: 'string' },
      speed: { type: 'string' },
      rechunk: { type: 'string' },
      seed: { type: 'string' },
      'match-by': { type: 'string' },
      loop: { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  const options = {
    port: portOf(values.port),
    leg: oneOf('as', values.as, ['upstream', 'proxy']),
    speed: speedOf(values.speed),
    rechunk: rechunkOf(values.rechunk, values.seed),
    matchBy: oneOf('match-by', values['match-by'], ['conversation', 'request', 'order']),
    loop: values.loop === true,
  }
  return { source: openOnlyTape('serve', { paths: positionals, env }), options, isJson: values.json === true }
}

function portOf(typed: string | undefined): number {
  const port = wholeNumber('port', typed, 0)
  if (port <= 65_535) return port
  throw new UsageError(`--port: expected at most 65535, got '${typed}'`)
}

function speedOf(typed: string | undefined): number {
  const speed = Number(typed ?? 0)
  if (typed?.trim() !== '' && Number.isFinite(speed) && speed >= 0) return speed
  throw new UsageError(`--speed: expected 0 or more, got '${typed}'`)
}

function rechunkOf(typed: string | undefined, seed: string | undefined): Rechunk {
  const how = oneOf('rechunk', typed, ['as-recorded', 'events', 'bytes', 'random'])
  if (how === 'random') return { random: wholeNumber('seed', seed, 1) }
  if (seed !== undefined) throw new UsageError('--seed: only --rechunk random takes one')
  return how
}

async function start(source: Tape, options: PlayOptions): ReturnType<typeof playTape> {
  try {
    return await playTape(source, options)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(
      code === 'EADDRINUSE' ? `--port: somebody listens on ${options.port} already` : message,
    )
  }
}

interface Started {
  readonly isJson: boolean
  readonly url: string
  readonly source: Tape
  readonly recordings: number
  readonly leg: PlayOptions['leg']
}

function tellStart(surroundings: Surroundings, started: Started): void {
  const { isJson, url, source, recordings } = started
  for (const { line, reason } of source.problems) {
    surroundings.err(`${visibleLine(`${source.folder}, line ${line}: ${reason}`)}\n`)
  }
  surroundings.out(
    isJson
      ? `${visibleJson({ url, recordings, problems: source.problems }, 0)}\n`
      : `${url} answers with ${counted(recordings, 'recording')} of ${visibleLine(source.folder)}\n${nextStep(started, surroundings.env)}`,
  )
}

interface Summary {
  readonly requests: number
  readonly misses: number
  readonly unused: number
}

function describeSummary({ requests, misses, unused }: Summary): string {
  return `${counted(requests, 'request')}, ${misses} without a recording; ${counted(unused, 'recording')} not asked for`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
