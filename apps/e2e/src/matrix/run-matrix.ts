import type { DialectName } from '@hydra/core'
import { installProgram } from '../install-program.ts'
import { playTwice, verdictLine } from '../play-twice.ts'
import { sideBySide } from '../side-by-side.ts'
import { startTripwire, type Tripwire } from '../tripwire.ts'
import { matrixAgents } from './agents.ts'
import type { MatrixAgent } from './matrix-agent.ts'
import { FORK, playFork } from './play-fork.ts'
import { type MatrixStage, playCell, startStage, UPSTREAMS } from './play-matrix.ts'
import { scenes } from './scenes.ts'

/** So many sessions run side by side; each is mostly waiting. */
const WIDTH = 3

/** What of the matrix is played; without a list, all. */
export interface MatrixChoice {
  readonly agents: readonly string[] | undefined
  readonly upstreams: readonly string[] | undefined
  readonly scenes: readonly string[] | undefined
}

interface Wanted extends MatrixChoice {
  readonly folder: string
  readonly say: (line: string) => void
}

/** The agents that are played. */
export function agentsOf({ agents }: MatrixChoice): readonly MatrixAgent[] {
  return matrixAgents.filter(({ name }) => isWanted(agents, name))
}

/** Plays every scene with every agent on every upstream; gives how many failed. */
export async function runMatrix(wanted: Wanted): Promise<number> {
  const tripwire = await startTripwire()
  const dialects = UPSTREAMS.filter((name) => isWanted(wanted.upstreams, name))
  const stages: MatrixStage[] = []
  try {
    for (const dialect of dialects) {
      // oxlint-disable-next-line no-await-in-loop -- two cores
      stages.push(await startStage(dialect, wanted.folder))
    }
    const failed = await playAll(await jobsOf(wanted, stages, tripwire), wanted.say)
    // Agents look for newer versions and tell their makers of themselves, whatever they are told; they get nowhere.
    const outside = new Set(tripwire.touched())
    if (outside.size > 0) wanted.say(`kept from ${[...outside].join(', ')}`)
    return failed
  } finally {
    tripwire.close()
    for (const { provider, proxy } of stages) {
      // oxlint-disable-next-line no-await-in-loop
      await proxy.stop()
      provider.close()
    }
  }
}

function isWanted(list: readonly string[] | undefined, name: string): boolean {
  return list === undefined || list.includes(name)
}

/** One thing to play. */
interface Job {
  readonly label: string
  readonly play: () => Promise<void>
}

async function jobsOf(
  wanted: Wanted,
  stages: readonly MatrixStage[],
  tripwire: Tripwire,
): Promise<readonly Job[]> {
  const jobs: Job[] = []
  for (const agent of agentsOf(wanted)) {
    // oxlint-disable-next-line no-await-in-loop -- fetched already
    const installed = await installProgram(agent, wanted.say)
    if ('missing' in installed) {
      wanted.say(`${agent.name} ${agent.version} was NOT run: ${installed.missing}`)
      continue
    }
    const given = { agent, folder: wanted.folder, tripwire, ...installed }
    jobs.push(...forksOf(given, wanted, stages))
    for (const dialect of agent.dialects) jobs.push(...cellsOf({ ...given, dialect }, wanted, stages))
  }
  return jobs
}

/** An agent, and what it is played with. */
interface Given {
  readonly agent: MatrixAgent
  /** Where its program is. */
  readonly programs: string
  readonly folder: string
  readonly tripwire: Tripwire
}

/** Sessions of the agents that play everything are forked from the first upstream to the next. */
function forksOf(given: Given, wanted: Wanted, [first, other]: readonly MatrixStage[]): readonly Job[] {
  const { name, scenes: some } = given.agent
  if (some !== undefined || !isWanted(wanted.scenes, FORK.name)) return []
  if (first === undefined || other === undefined) return []
  return [{ label: `${name}: ${FORK.name}`, play: () => playFork({ ...given, stages: [first, other] }) }]
}

function cellsOf(
  given: Given & { readonly dialect: DialectName },
  wanted: Wanted,
  stages: readonly MatrixStage[],
): readonly Job[] {
  const { agent, dialect } = given
  const played = scenes.filter(({ name }) => isWanted(agent.scenes, name) && isWanted(wanted.scenes, name))
  return stages.flatMap((stage) =>
    played.map((scene) => ({
      label: `${agent.name} (${dialect}) > ${stage.provider.dialect}: ${scene.name}`,
      play: () => playCell({ ...given, stage, scene }),
    })),
  )
}

async function playAll(jobs: readonly Job[], say: (line: string) => void): Promise<number> {
  let failed = 0
  await sideBySide(WIDTH, jobs, async ({ label, play }) => {
    const verdict = await playTwice(play)
    if (verdict.verdict === 'FAIL') failed += 1
    say(verdictLine(label, verdict))
  })
  say(`agents: ${jobs.length - failed} passed, ${failed} failed`)
  return failed
}
