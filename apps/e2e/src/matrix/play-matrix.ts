import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { anthropic, type DialectName, gemini, openaiChat, openaiResponses, registry } from '@hydra/core'
import { UPSTREAM_KEY } from '../keys.ts'
import { type Outcome, run } from '../processes.ts'
import { HYDRA, type RunningProxy, startHydra } from '../proxy.ts'
import type { Tripwire } from '../tripwire.ts'
import { writeFiles } from '../write-files.ts'
import { agentEnvironment } from './agent-environment.ts'
import type { MatrixAgent } from './matrix-agent.ts'
import { type Provider, startProvider } from './provider.ts'
import type { Scene } from './scene.ts'

/** The model that each upstream is asked for; agents ask for others. */
const MODELS: Readonly<Record<string, string>> = {
  [anthropic.name]: 'claude-opus-4-6',
  [openaiChat.name]: 'gpt-test',
  [openaiResponses.name]: 'gpt-5.1',
  [gemini.name]: 'gemini-2.5-pro',
}

/** The dialects that a provider can be played in: what clients speak to us is what we speak to it. */
export const UPSTREAMS: readonly DialectName[] = registry.all.flatMap(({ name, client, upstream }) =>
  client === undefined || upstream === undefined ? [] : [name],
)

/** One upstream with the proxy in front of it. */
export interface MatrixStage {
  readonly provider: Provider
  readonly proxy: RunningProxy
  readonly model: string
}

/** Starts a provider of a dialect, and a proxy with a route to it. */
export async function startStage(dialect: DialectName, folder: string): Promise<MatrixStage> {
  const provider = await startProvider(dialect)
  const model = MODELS[dialect] ?? 'test-model'
  const home = join(folder, `proxy-${dialect}`)
  await mkdir(home)
  const config = {
    upstreams: { up: { dialect, url: provider.url, key: 'env:UPSTREAM_KEY' } },
    routes: [{ name: 'all', upstream: 'up', model }],
  }
  const file = join(home, 'hydra.config.json')
  await writeFile(file, JSON.stringify(config))
  const proxy = await startHydra(home, { flags: ['--config', file], env: { UPSTREAM_KEY } })
  return { provider, proxy, model }
}

/** One cell of the table, and what it is played with. */
export interface Cell {
  readonly agent: MatrixAgent
  /** Where its program is. */
  readonly programs: string
  readonly dialect: DialectName
  readonly stage: MatrixStage
  readonly scene: Scene
  readonly folder: string
  readonly tripwire: Tripwire
}

/** Plays a scene with an agent on an upstream; throws unless all is well. */
export async function playCell(cell: Cell): Promise<void> {
  const { agent, stage, scene, dialect } = cell
  const token = `task-${randomBytes(6).toString('hex')}`
  const { files = {}, say, goesOn, expect } = scene.begin(agent)
  const base = await mkdtemp(join(cell.folder, 'cell-'))
  const [home, folder, temp] = [join(base, 'home'), join(base, 'work'), join(base, 'temp')]
  await Promise.all([home, folder, temp].map((path) => mkdir(path)))
  await writeFiles(folder, files)
  await writeFiles(home, settingsOf(agent))
  const played = stage.provider.open({
    token,
    model: stage.model,
    // Requests without tools are for titles and the like; those for a summary come with or without.
    play(asked, number) {
      const isSide = (asked.request.tools ?? []).length === 0 && scene.name !== 'overflow'
      const before = played.asked.slice(0, number).filter(hasTools).length
      return isSide ? { text: 'A short title' } : say(asked, scene.name === 'overflow' ? number : before)
    },
  })
  const start = (words: readonly string[]): Promise<Outcome> => {
    const speak = dialect === agent.dialects[0] ? [] : ['--speak', dialect]
    const port = new URL(stage.proxy.url).port
    return run({
      file: process.execPath,
      args: [HYDRA, 'run', '--port', port, ...speak, agent.name, ...words],
      folder,
      env: { ...agentEnvironment(cell.programs, { home, temp }), ...cell.tripwire.env, ...agent.env },
    })
  }
  let outcome = await start(agent.words(`${token}: do as you see fit.`))
  if (agent.goOn !== undefined && goesOn?.(outcome) === true) {
    outcome = await start(agent.goOn(`Go on with ${token}.`))
  }
  const [problem] = played.problems
  if (problem !== undefined) throw new Error(`the upstream refused a request: ${problem}`)
  expect({ outcome, asked: played.asked.filter(hasTools), sent: played.sent, folder })
  if (`${outcome.stdout}${outcome.stderr}`.includes(UPSTREAM_KEY)) {
    throw new Error("the upstream's key has reached the client")
  }
}

function settingsOf({ settings = {} }: MatrixAgent): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings).map(([file, value]) => [file, JSON.stringify(value)]))
}

function hasTools({ request }: { readonly request: { readonly tools?: readonly unknown[] } }): boolean {
  return (request.tools ?? []).length > 0
}
