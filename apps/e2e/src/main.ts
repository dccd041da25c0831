import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@hydra/cli'
import { type Command, helpText, parseCommandLine } from './command-line.ts'
import { installProgram, type ProgramOnNpm } from './install-program.ts'
import { agentNamed } from './matrix/agents.ts'
import { agentsOf, type MatrixChoice, runMatrix } from './matrix/run-matrix.ts'
import { playScenarios, type Result } from './play-scenarios.ts'
import { verdictLine } from './play-twice.ts'
import { killAll, run } from './processes.ts'
import { sideBySide } from './side-by-side.ts'

const FAILED = 1
const WRONG_USAGE = 2
const SKIPPED = 3
const SHOWN_LOG = 3000
const FETCHED_AT_ONCE = 3
const ALL: MatrixChoice = { agents: undefined, upstreams: undefined, scenes: undefined }

/** What came of one version of Claude Code. */
type Run = { readonly version: string } & (
  | { readonly results: readonly Result[] }
  | { readonly missing: string }
)

async function main(given: readonly string[]): Promise<number> {
  const command = parseCommandLine(given, process.env)
  if (command.isHelp) {
    say(helpText())
    return 0
  }
  const { scenarios, matrix = scenarios.length === 0 ? ALL : undefined } = command
  const installations = scenarios.length === 0 ? [] : await claudesOf(command)
  await fetchPrograms(installations, matrix)
  // Side by side: most of the time each of them waits.
  const [runs, failed] = await Promise.all([
    Promise.all(installations.map((one) => runVersion(one, command))),
    matrix === undefined ? 0 : runMatrix({ ...matrix, folder: await temporaryFolder(), say }),
  ])
  const code = scenarios.length === 0 ? 0 : summary(runs)
  return failed > 0 ? FAILED : code
}

/** A Claude Code that all scenarios are played with. */
type Claude = { readonly version: string; readonly binary: string } | ProgramOnNpm

async function claudesOf({ binary, versions }: Command): Promise<readonly Claude[]> {
  if (binary !== undefined) return [{ version: await versionOf(binary), binary }]
  return versions.map((version) => ({ ...agentNamed('claude'), version }))
}

/** Fetches what will be needed, before anything is timed. */
async function fetchPrograms(claudes: readonly Claude[], matrix: MatrixChoice | undefined): Promise<void> {
  const agents = matrix === undefined ? [] : agentsOf(matrix)
  const programs = [...claudes, ...agents].filter((one) => 'npm' in one)
  await sideBySide(FETCHED_AT_ONCE, programs, async (program) => void (await installProgram(program, say)))
}

async function runVersion(claude: Claude, { scenarios, isVerbose }: Command): Promise<Run> {
  const { version } = claude
  const installed = 'npm' in claude ? await installProgram(claude, say) : claude
  if ('missing' in installed) return { version, missing: installed.missing }
  const results = await playScenarios({
    scenarios,
    binary: 'binary' in installed ? installed.binary : join(installed.programs, 'claude'),
    folder: await temporaryFolder(),
    onResult: (result, log) => {
      say(verdictLine(`claude-code ${version}: ${result.name}`, result))
      if (result.verdict === 'FAIL' && isVerbose) say(`    the proxy's log:\n${log.slice(-SHOWN_LOG)}`)
    },
  })
  return { version, results }
}

/** The version that a program says it has. */
async function versionOf(binary: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const { stdout, stderr } = await run({ file: binary, args: ['--version'], folder: '/', env })
  const version = /^\d+\.\d+\.\d+/.exec(stdout)?.[0]
  if (version === undefined) throw new Error(`${binary} does not work: ${stdout}${stderr}`)
  return version
}

function summary(runs: readonly Run[]): number {
  say('')
  for (const one of runs) {
    const { version } = one
    if ('missing' in one) say(`claude-code ${version} was NOT run: it could not be fetched (${one.missing})`)
    else say(`claude-code ${version}: ${tally(one.results)}`)
  }
  const results = runs.flatMap((one) => ('results' in one ? one.results : []))
  if (results.length === 0) {
    say('skipped: no Claude Code is installed and the npm registry cannot be reached')
    return SKIPPED
  }
  return results.every(({ verdict }) => verdict !== 'FAIL') ? 0 : FAILED
}

function tally(results: readonly Result[]): string {
  const named = (wanted: Result['verdict']): readonly string[] =>
    results.filter(({ verdict }) => verdict === wanted).map(({ name }) => name)
  const [failed, skipped] = [named('FAIL'), named('SKIP')]
  return [
    `${named('PASS').length} passed`,
    `${failed.length} failed${failed.length === 0 ? '' : ` (${failed.join(', ')})`}`,
    ...(skipped.length === 0
      ? []
      : [`${skipped.length} not offered by this version (${skipped.join(', ')})`]),
  ].join(', ')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const folders: string[] = []

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hydra-e2e-'))
  folders.push(folder)
  return folder
}

/** Leaves nothing behind, however it ends. */
function cleanUp(): void {
  killAll()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.once('exit', cleanUp)

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`e2e: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? WRONG_USAGE : FAILED
}
