import { columns, didYouMean, helpText as textOf, parseArguments, UsageError } from '@hydra/cli'
import { matrixAgents } from './matrix/agents.ts'
import { FORK } from './matrix/play-fork.ts'
import type { MatrixChoice } from './matrix/run-matrix.ts'
import { scenes } from './matrix/scenes.ts'
import { scenarios } from './scenarios.ts'
import type { Scenario } from './scenario.ts'

/** The versions of Claude Code that are run unless others are asked for: one of last year's, and the newest. */
const VERSIONS = ['2.1.197', '2.1.325'] as const

const OPTIONS = {
  verbose: { type: 'boolean', text: 'print what the proxy has logged when a scenario fails' },
  help: { type: 'boolean', short: 'h', text: 'this text' },
} as const

/** What is asked for. */
export interface Command {
  readonly isHelp: boolean
  readonly isVerbose: boolean
  readonly scenarios: readonly Scenario[]
  /** What of the table of agents and upstreams is played; absent if nothing of it. */
  readonly matrix: MatrixChoice | undefined
  readonly versions: readonly string[]
  /** A Claude Code that is installed already, to be run instead of the versions. */
  readonly binary: string | undefined
}

/** Reads the arguments and the environment; a mistake is a `UsageError`. */
export function parseCommandLine(given: readonly string[], env: NodeJS.ProcessEnv): Command {
  // Package managers pass on the `--` that separates their own options from ours.
  const words = given.filter((word) => word !== '--')
  const { values, positionals } = parseArguments(words, { command: 'pnpm e2e', options: OPTIONS })
  const [word] = positionals
  if (word !== undefined) {
    throw new UsageError(`pnpm e2e takes options only, got '${word}'; scenarios are chosen with E2E_ONLY`)
  }
  const only = listOf(env['E2E_ONLY'])
  const [agents, upstreams] = [listOf(env['E2E_AGENTS']), listOf(env['E2E_UPSTREAMS'])]
  checkNames('E2E_AGENTS', agents, matrixAgents)
  checkNames('E2E_ONLY', only, [...scenarios, ...scenes, FORK])
  const chosen = only?.filter((name) => [...scenes, FORK].some((scene) => scene.name === name))
  const isTable = agents !== undefined || upstreams !== undefined
  return {
    isHelp: values.help ?? false,
    isVerbose: values.verbose ?? false,
    scenarios: isTable ? [] : scenarios.filter(({ name }) => only?.includes(name) ?? true),
    matrix: chosen?.length === 0 ? undefined : { agents, upstreams, scenes: chosen },
    versions: listOf(env['E2E_VERSIONS']) ?? VERSIONS,
    binary: env['E2E_CLAUDE'] || undefined,
  }
}

function checkNames(
  variable: string,
  names: readonly string[] | undefined,
  known: readonly { readonly name: string }[],
): void {
  const unknown = names?.find((wanted) => !known.some(({ name }) => name === wanted))
  if (unknown === undefined) return
  const all = known.map(({ name }) => name)
  const hint = didYouMean(unknown, all) ?? `there are ${all.join(', ')}`
  throw new UsageError(`${variable}: there is no '${unknown}'; ${hint}`)
}

function listOf(text: string | undefined): readonly string[] | undefined {
  const words = (text ?? '').split(',').map((word) => word.trim())
  const list = words.filter((word) => word !== '')
  return list.length === 0 ? undefined : list
}

/** What `--help` prints. */
export function helpText(): string {
  return textOf({
    title: 'e2e: the real agents through the real proxy',
    usage: ['pnpm e2e [--verbose]'],
    about: `Runs the real Claude Code from npm, offline, through the real proxy to a scripted upstream that refuses what
real providers refuse. Then Claude Code, Codex, opencode, pi, Gemini CLI and Qwen Code, started by \`hydra run\`, on
upstreams of every dialect. All of it side by side; they are fetched once, into node_modules/.cache.`,
    options: OPTIONS,
    sections: {
      Scenarios: columns(scenarios.map(({ name, title }) => [name, title])),
      'Scenes with every agent on every upstream': columns(scenes.map(({ name, title }) => [name, title])),
      'With Claude Code and Codex': columns([[FORK.name, FORK.title]]),
      Environment: columns([
        ['E2E_AGENTS=codex,pi', 'only these agents on the upstreams, without the scenarios'],
        ['E2E_UPSTREAMS=gemini', 'only upstreams of these dialects, without the scenarios'],
        ['E2E_ONLY=text,bash', 'only these scenarios and scenes'],
        ['E2E_VERSIONS=2.1.325', `other versions of Claude Code; by default ${VERSIONS.join(' and ')}`],
        ['E2E_CLAUDE=/path/claude', 'a Claude Code that is installed already, instead of the versions'],
        ['E2E_CACHE=/path', 'where programs are kept; by default node_modules/.cache/agents'],
      ]),
      'Exit codes': [
        '0  everything passed',
        '1  something failed',
        '2  wrong usage',
        '3  skipped, because Claude Code is not there and the npm registry cannot be reached',
      ],
    },
    examples: ['pnpm e2e', 'E2E_ONLY=text,bash pnpm e2e --verbose'],
  })
}
