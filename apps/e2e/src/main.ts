import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '@hydra/cli'
import { type Installation, installClaude, versionOf } from './claude/install-claude.ts'
import { type Command, helpText, parseCommandLine } from './command-line.ts'
import { playScenarios, type Result } from './play-scenarios.ts'
import { killAll } from './processes.ts'

const FAILED = 1
const WRONG_USAGE = 2
const SKIPPED = 3
const SHOWN_LOG = 3000

/** The results of one version. */
interface Run {
  readonly version: string
  readonly results: readonly Result[]
}

async function main(given: readonly string[]): Promise<number> {
  const command = parseCommandLine(given, process.env)
  if (command.isHelp) {
    say(helpText())
    return 0
  }
  const installations = await install(command)
  const runs: Run[] = []
  for (const installation of installations) {
    if ('unreachable' in installation) continue
    // oxlint-disable-next-line no-await-in-loop -- two sessions at once would disturb each other's clocks
    runs.push(await runVersion(installation, command))
  }
  return summary(runs, installations)
}

async function install({ binary, versions }: Command): Promise<readonly Installation[]> {
  if (binary !== undefined) return [{ version: await versionOf(binary), binary }]
  const installations: Installation[] = []
  // oxlint-disable-next-line no-await-in-loop -- they share npm's cache
  for (const version of versions) installations.push(await installClaude(version, say))
  return installations
}

async function runVersion(
  { version, binary }: { version: string; binary: string },
  command: Command,
): Promise<Run> {
  say(`\nclaude-code ${version}: ${command.scenarios.length} scenarios`)
  const folder = await temporaryFolder()
  const results = await playScenarios({
    scenarios: command.scenarios,
    binary,
    folder,
    onBegin: ({ name, title }) => say(`  ...  ${name}: ${title}`),
    onResult: ({ name, verdict, reason, seconds }, log) => {
      say(`  ${verdict} ${name} (${seconds.toFixed(1)} s)${reason === '' ? '' : `: ${reason}`}`)
      if (verdict === 'FAIL' && command.isVerbose) say(`    the proxy's log:\n${log.slice(-SHOWN_LOG)}`)
    },
  })
  return { version, results }
}

function summary(runs: readonly Run[], installations: readonly Installation[]): number {
  say('')
  for (const installation of installations) {
    if (!('unreachable' in installation)) continue
    say(
      `claude-code ${installation.version} was NOT run: it could not be fetched (${installation.unreachable})`,
    )
  }
  if (runs.length === 0) {
    say('skipped: no Claude Code is installed and the npm registry cannot be reached')
    return SKIPPED
  }
  for (const { version, results } of runs) say(`claude-code ${version}: ${tally(results)}`)
  return runs.every(({ results }) => results.every(({ verdict }) => verdict !== 'FAIL')) ? 0 : FAILED
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
