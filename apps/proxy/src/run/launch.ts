import {
  didYouMean,
  type Environment,
  starterSignal,
  typedPath,
  UsageError,
  userEnvironment,
} from '@hydra/cli'
import type { DialectName } from '@hydra/core'
import type { Agent } from './agents/agent.ts'
import { agentOf, AGENTS } from './agents/known-agents.ts'
import { clientKey, type ProxyForClient, sdkEnvironment, withoutDetour } from './client-environment.ts'
import { findProgram } from './find-program.ts'
import { readModels } from './read-models.ts'
import { runCommand } from './run-command.ts'
import { TemporaryFiles } from './temporary-files.ts'

/** What was typed: a command and its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]]

/** What surrounds a command. */
export interface Surroundings {
  readonly env: Environment
  /** The dialect that an agent is to speak, where it knows several. */
  readonly speak?: string | undefined
}

/** A command that can be started, with the environment that its user has. */
export interface FoundCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly agent: Agent | undefined
  readonly dialect: DialectName
  readonly env: Environment
}

/** Finds the program of a command; what is wrong with the command is told before anything is started for it. */
export function findCommand(
  [command, ...args]: CommandLine,
  { env: given, speak }: Surroundings,
): FoundCommand {
  const env = userEnvironment(given)
  const agent = agentOf(command)
  const dialect = spoken(command, agent, speak)
  const program = findProgram(command.includes('/') ? typedPath(command, given) : command, env)
  if (program === undefined) throw new UsageError(notFound(command, agent))
  return { program, args, agent, dialect, env }
}

/** Runs a command that talks to the proxy: an agent that is known, or anything with the variables of all SDKs. */
export async function launch(
  { program, args, agent, dialect, env }: FoundCommand,
  proxy: ProxyForClient,
  say: (text: string) => void,
): Promise<number> {
  const common = { ...env, ...withoutDetour(env) }
  const signal = await starterSignal(process.env)
  if (agent === undefined)
    return runCommand({ program, args, env: { ...common, ...sdkEnvironment(env, proxy) }, signal })
  const model = await modelFor(agent, proxy)
  if (model !== '') say(`${agent.title} asks for ${model}`)
  const files = new TemporaryFiles()
  try {
    // Nothing is waited for in between: from here on signals must go to the agent, and not leave files behind.
    const setup = agent.setUp({ proxy, dialect, key: clientKey(proxy), model, env, files })
    const words = [...(setup.args ?? []), ...args]
    return await runCommand({ program, args: words, env: { ...common, ...setup.env }, signal })
  } finally {
    files.remove()
  }
}

function spoken(command: string, agent: Agent | undefined, wanted: string | undefined): DialectName {
  const known = agent === undefined ? [] : [agent.speaks, ...(agent.alsoSpeaks ?? [])]
  const dialect = wanted === undefined ? known[0] : known.find((name) => name === wanted)
  if (dialect !== undefined || wanted === undefined) return dialect ?? ''
  const expected = known.length === 0 ? 'none, its program decides' : `one of ${known.join(', ')}`
  throw new UsageError(`--speak: expected ${expected} for ${command}, got '${wanted}'`)
}

function notFound(command: string, agent: Agent | undefined): string {
  const names = AGENTS.map(({ name }) => name)
  if (agent === undefined)
    return `${command} was not found: ${didYouMean(command, names) ?? 'is it installed?'}`
  return `${command} was not found: npm install -g ${agent.npm} brings it`
}

async function modelFor({ needsModel, title }: Agent, proxy: ProxyForClient): Promise<string> {
  if (!needsModel) return ''
  const [model] = await readModels(proxy)
  if (model !== undefined) return model
  throw new UsageError(
    `${title} needs the name of a model, and no route has one: use --model, or \`models\` of the configuration`,
  )
}
