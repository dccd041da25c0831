import { join, relative } from 'node:path'
import { didYouMean, helpText, parseArguments, UsageError } from '@hydra/cli'
import { agentNamed } from '../matrix/agents.ts'
import { installProgram } from '../install-program.ts'
import { killAll } from '../processes.ts'
import { makeFixture } from './make-fixture.ts'
import { recordSession, removeRecordings } from './record-session.ts'
import type { TapeSession } from './session.ts'
import { tapeSessions } from './sessions.ts'

/** The version of Claude Code that is recorded unless a session wants another one. */
const VERSION = '2.1.325'

const WRONG_USAGE = 2

const OPTIONS = { help: { type: 'boolean', short: 'h' } } as const

const HELP = helpText({
  title: 'tapes: records the tapes in fixtures/tapes anew',
  usage: ['pnpm tapes [NAMES…]'],
  about: `Records all tapes in fixtures/tapes anew, or those that are named: real clients, through the real proxy,
to scripted upstreams. Texts that the client's maker wrote become placeholders of the same length. The expected
answers are written as well: read them before you commit them.`,
  sections: {
    Sessions: tapeSessions.map(({ name }) => name),
    'Exit codes': ['0  all were recorded', '1  one failed', '2  wrong usage'],
  },
  examples: ['pnpm tapes', `pnpm tapes ${tapeSessions[0]?.name}`],
})

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: words } = parseArguments(args, { command: 'pnpm tapes', options: OPTIONS })
  if (values.help) {
    say(HELP)
    return 0
  }
  const unknown = words.find((word) => !tapeSessions.some(({ name }) => name === word))
  if (unknown !== undefined) throw new UsageError(`there is no session '${unknown}'; ${hintFor(unknown)}`)
  const sessions = words.length === 0 ? tapeSessions : tapeSessions.filter(({ name }) => words.includes(name))
  let failed = 0
  for (const session of sessions) {
    // oxlint-disable-next-line no-await-in-loop -- they share a folder, so that paths are the same
    if (!(await record(session))) failed += 1
  }
  return failed === 0 ? 0 : 1
}

function hintFor(unknown: string): string {
  const names = tapeSessions.map(({ name }) => name)
  return didYouMean(unknown, names) ?? 'see pnpm tapes --help'
}

async function record(session: TapeSession): Promise<boolean> {
  try {
    const binary = await programOf(session)
    const expected = await makeFixture(session, await recordSession(session, binary))
    say(`recorded ${session.name}; now read ${relative(process.cwd(), expected)}`)
    return true
  } catch (error) {
    say(`FAILED ${session.name}: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

async function programOf({ program, version = VERSION }: TapeSession): Promise<string> {
  const agent = agentNamed(program ?? 'claude')
  const installed = await installProgram(program === undefined ? { ...agent, version } : agent, say)
  if ('missing' in installed) throw new Error(`no ${agent.name}: ${installed.missing}`)
  return join(installed.programs, agent.name)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.once('exit', () => {
  killAll()
  removeRecordings()
})

// Package managers pass on the `--` that separates their own options from ours.
const args = process.argv.slice(2).filter((word) => word !== '--')
try {
  process.exitCode = await main(args)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`tapes: ${error.message}\n`)
  process.exitCode = WRONG_USAGE
}
