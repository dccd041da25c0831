import { basename } from 'node:path'
import { parseArguments, visibleJson, visibleText, workingFolder } from '@hydra/cli'
import { findCommand, launch } from '@hydra/proxy/launch'
import { type Miss, shortenPair, type Tape } from '@hydra/tape'
import { type Command, EXIT, type Surroundings } from '../command.ts'
import { openOnlyTape } from '../serve/open-only-tape.ts'
import { countOf } from '@hydra/inspector/summary'
import { junitReport, writeJunit } from '../verdict/junit.ts'
import { unaskedFor, type Verdict, verdictLine } from '../verdict/verdict.ts'
import { commandBehindDashes } from './command-behind-dashes.ts'
import { startFront } from './front.ts'
import { toolDrift, type ToolDrift } from './tool-results.ts'

const HELP = `hydra-tape rerun TAPE -- COMMAND …: replay the model and let the agent run its tools for real

Runs the command as hydra run does it, against the recorded answers of the model. What the agent's tools say now is
compared with what they said then: a difference in dates, ids, temporary paths and numbers is small, any other one
large. Nothing is sent to a model.

Options
  --strict      any difference in what a tool says fails
  --speed N     1 keeps the recorded gaps, 0 (the default) answers at once
  --junit FILE  also writes a JUnit report
  --json        prints the result as JSON on standard error
  -h, --help    this text

Exit codes
  0  the agent went the recorded way
  1  it asked for something else or for less, its command failed, or with --strict a tool said something else
  2  what was typed makes no sense, or the tape cannot be read

Example
  hydra-tape rerun tapes/session -- claude -p "fix the test"
`

/** An exchange in which a tool said something else. */
export interface DriftedExchange extends ToolDrift {
  readonly exchange: number
}

interface Rerun {
  readonly code: number
  readonly replayed: number
  readonly drift: readonly DriftedExchange[]
  readonly misses: readonly Miss[]
  /** The recorded exchanges that the agent did not ask for. */
  readonly unasked: readonly number[]
}

/** Replays the model of an agent whose tools are real. */
export const rerunCommand: Command = {
  name: 'rerun',
  summary: 'replay the model and let the agent run its tools for real',
  help: HELP,
  async run(args, surroundings) {
    if (args.includes('--help') || args.includes('-h')) parseOwn(args)
    const { own, line } = commandBehindDashes('rerun', args)
    const { values, positionals } = parseOwn(own)
    const tape = openOnlyTape('rerun', { paths: positionals, env: surroundings.env })
    const result = await rerun(tape, { line, speed: Number(values.speed ?? 0) }, surroundings)
    const verdict = verdictOf(result, values.strict === true)
    if (values.json === true) surroundings.err(`${visibleJson({ ...verdict, ...result }, 0)}\n`)
    else surroundings.err(describe(result) + verdictLine(verdict))
    writeJunit(values.junit, () => reportOf(tape, result, values.strict === true), surroundings)
    return verdict.passed ? EXIT.ok : EXIT.found
  },
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the type is that of the grammar
function parseOwn(args: readonly string[]) {
  return parseArguments(args, {
    command: 'hydra-tape rerun',
    options: {
      strict: { type: 'boolean' },
      speed: { type: 'string' },
      junit: { type: 'string' },
      json: { type: 'boolean' },
    },
  })
}

interface Running {
  readonly line: readonly [string, ...string[]]
  readonly speed: number
}

async function rerun(tape: Tape, { line, speed }: Running, surroundings: Surroundings): Promise<Rerun> {
  const drift: DriftedExchange[] = []
  let replayed = 0
  const front = await startFront(tape, {
    workspace: workingFolder(surroundings.env),
    speed,
    onReplay({ exchange, request }, came) {
      replayed += 1
      for (const found of toolDrift(request, came)) drift.push({ exchange, ...found })
    },
  })
  try {
    const proxy = { url: front.url, key: undefined, passes: false }
    const found = findCommand(line, { env: surroundings.env })
    const code = await launch(found, proxy, (text) => surroundings.err(`hydra-tape: ${text}\n`))
    const { misses, unconsumed } = front.answers
    return { code, replayed, drift, misses, unasked: unconsumed.map(({ exchange }) => exchange) }
  } finally {
    await front.stop()
  }
}

function verdictOf({ code, replayed, drift, misses, unasked }: Rerun, isStrict: boolean): Verdict {
  const sizes = (['small', 'large'] as const).flatMap((size) => {
    const count = drift.filter((one) => one.size === size).length
    return count === 0 ? [] : [`${count} ${size}`]
  })
  const driftWords =
    sizes.length === 0 ? 'tools said what they said then' : `tools drifted: ${sizes.join(', ')}`
  const reasons = [
    ...(misses[0] === undefined ? [] : [misses[0].explanation]),
    ...(unasked.length === 0 ? [] : [unaskedFor(unasked)]),
    ...(code === 0 ? [] : [`the command ended with ${code}`]),
    ...(isStrict && drift.length > 0 ? [driftWords] : []),
  ]
  if (reasons.length > 0) return { passed: false, reason: reasons.join('; ') }
  if (replayed === 0) return { passed: false, reason: 'the command asked for nothing' }
  return { passed: true, reason: `${countOf(replayed, 'exchange')} replayed, ${driftWords}` }
}

function describe({ drift, misses }: Rerun): string {
  const lines = [
    ...drift.map(({ exchange, tool, size, ...pair }) => {
      const { expected, actual } = shortenPair(pair.recorded, pair.came)
      return `exchange ${exchange}: ${size} drift of ${tool}: ${expected} then, ${actual} now`
    }),
    ...misses.map(({ explanation }) => explanation),
  ]
  return lines.map((line) => `${visibleText(line)}\n`).join('')
}

function reportOf({ folder, exchanges }: Tape, result: Rerun, isStrict: boolean): string {
  const cases = exchanges.map(({ number }) => {
    const drifted = result.drift.filter(({ exchange }) => exchange === number)
    const isUnasked = result.unasked.includes(number)
    const text = isUnasked
      ? 'it was not asked for'
      : drifted.map(({ tool, came }) => `${tool}: ${came}`).join('\n')
    const isFailure = isUnasked || (isStrict && drifted.length > 0)
    const message = isUnasked ? text : `tools drifted: ${drifted.map(({ tool }) => tool).join(', ')}`
    return { name: `exchange ${number}`, ...(isFailure && { failure: { message, text } }) }
  })
  const misses = result.misses.map(({ method, path, explanation }) => ({
    name: `${method} ${path}`,
    failure: { message: explanation, text: explanation },
  }))
  const ended = { name: 'the command' }
  const command =
    result.code === 0 ? ended : { ...ended, failure: { message: `it ended with ${result.code}`, text: '' } }
  return junitReport('rerun', [{ name: basename(folder), cases: [...cases, ...misses, command] }])
}
