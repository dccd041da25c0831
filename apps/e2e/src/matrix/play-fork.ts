import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, expectExit, expectPrinted } from '../expectations.ts'
import { UPSTREAM_KEY } from '../keys.ts'
import { type Outcome, run } from '../processes.ts'
import { HARNESS } from '../tape-server.ts'
import type { Tripwire } from '../tripwire.ts'
import { agentEnvironment } from './agent-environment.ts'
import type { MatrixAgent } from './matrix-agent.ts'
import type { MatrixStage } from './play-matrix.ts'
import { loop } from './scene.ts'

/** What is tried with agents that play everything, beside the scenes. */
export const FORK = {
  name: 'fork',
  title: 'a session is recorded, run again with real tools, and forked to another model; both are compared',
} as const

/** Who forks, and which models are there. */
export interface Forking {
  readonly agent: MatrixAgent
  /** Where its program is. */
  readonly programs: string
  readonly folder: string
  readonly tripwire: Tripwire
  /** The model of the recorded session, and the one that goes on. */
  readonly stages: readonly [first: MatrixStage, other: MatrixStage]
}

const NUMBER = 'number.txt'

/** Records a session with one model, runs it again, lets another model go on from its first exchange, and compares. */
export async function playFork(forking: Forking): Promise<void> {
  const { agent, stages } = forking
  const token = `task-${randomBytes(6).toString('hex')}`
  const words = agent.words(`${token}: do as you see fit.`)
  const steps = [{ calls: [agent.shell(`cat ${NUMBER}`)] }, { calls: [agent.shell(`tr 4 5 <${NUMBER}`)] }]
  const endings = ['The first model is done.', 'The other model is done.'] as const
  const [first, other] = stages.map(({ provider, model }, index) => {
    const say = loop(steps.slice(0, 2 - index), () => endings[index] ?? '')
    return provider.open({ token, model, play: say })
  })
  const { tape, work, run: hydraTape } = await workplaceOf(forking)
  const command = ['--', agent.name, ...words]
  expectPrinted(
    await hydraTape('record', '--out', '../tapes', ...configOf(forking, 0), ...command),
    endings[0],
  )
  const recorded = await tape()
  const again = await hydraTape('rerun', recorded, ...command)
  expectPrinted(again, endings[0])
  expect(/^passed: 3 exchanges replayed/m.test(again.stderr), `rerun: ${again.stderr}`)
  await writeFile(join(work, NUMBER), 'something else\n')
  const drifted = await hydraTape('rerun', recorded, '--strict', ...command)
  expectExit(drifted, 1)
  expect(/: large drift of /.test(drifted.stderr), `rerun: ${drifted.stderr}`)
  await writeFile(join(work, NUMBER), '4711\n')
  expect(first?.asked.length === 3, `the first model was asked ${first?.asked.length} times`)
  const forked = await hydraTape('fork', recorded, '--at', '1', ...configOf(forking, 1), ...command)
  expectPrinted(forked, endings[1])
  expect(/^passed: 1 exchange replayed, 1 of the other model/m.test(forked.stderr), `fork: ${forked.stderr}`)
  expect(other?.asked.length === 1, `the other model was asked ${other?.asked.length} times`)
  const verify = ['--verify', `grep -q 4711 ${NUMBER}`, '--json']
  checkFigures(await hydraTape('compare', recorded, `${recorded}-fork-1`, ...verify), stages, endings)
}

/** What `compare` says of a session, as far as it is looked at. */
interface Figures {
  readonly models: readonly string[]
  readonly turns: number
  readonly finalText: string
  readonly verdict: string
}

function checkFigures(
  compared: Outcome,
  stages: Forking['stages'],
  endings: readonly [string, string],
): void {
  expectExit(compared, 0)
  const [one, two] = JSON.parse(compared.stdout) as readonly [Figures, Figures]
  const [first, other] = stages.map(({ model }) => model)
  const told = ({ models, turns, finalText, verdict }: Figures): string =>
    [models.join('+'), turns, finalText, verdict].join(', ')
  expect(told(one) === `${first}, 3, ${endings[0]}, passed`, `compare: ${told(one)}`)
  expect(told(two) === `${first}+${other}, 2, ${endings[1]}, passed`, `compare: ${told(two)}`)
}

/** A folder to work in, and `hydra-tape` in it. */
async function workplaceOf({ agent, programs, folder, tripwire }: Forking): Promise<{
  readonly work: string
  readonly tape: () => Promise<string>
  readonly run: (...args: readonly string[]) => Promise<Outcome>
}> {
  const base = await mkdtemp(join(folder, 'fork-'))
  const [home, work, temp] = [join(base, 'home'), join(base, 'work'), join(base, 'temp')]
  await Promise.all([home, work, temp].map((path) => mkdir(path)))
  await writeFile(join(work, NUMBER), '4711\n')
  const env = { ...agentEnvironment(programs, { home, temp }), ...tripwire.env, ...agent.env, UPSTREAM_KEY }
  return {
    work,
    async tape() {
      const names = await readdir(join(base, 'tapes'))
      return join(base, 'tapes', names.find((name) => !name.startsWith('.')) ?? '')
    },
    run: (...args) => run({ file: process.execPath, args: [HARNESS, ...args], folder: work, env }),
  }
}

/** The configuration that the proxy in front of a stage has too. */
function configOf({ folder, stages }: Forking, index: 0 | 1): readonly string[] {
  return ['--config', join(folder, `proxy-${stages[index].provider.dialect}`, 'hydra.config.json')]
}
