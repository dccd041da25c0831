import { STANDARD } from '../dialects/benched.ts'
import type { Child } from '../proxy/child.ts'
import { EVENTS } from '../proxy/request-cost.ts'
import { longRequest } from '../proxy/requests.ts'
import { type RecordingStage, startInspectedStage } from '../proxy/stage.ts'
import type { Figure, Suite } from '../suite.ts'
import { measureRecording } from '../tape/recording-cost.ts'

interface Case {
  readonly name: string
  readonly isOpen: boolean
  readonly limit: number
}

interface Rounds {
  readonly servers: number
  /** The servers are warm when the second case begins, but for what a page needs. */
  readonly warmUps: { readonly first: number; readonly later: number }
  readonly counted: number
}

const MANY: Rounds = { servers: 3, warmUps: { first: 16, later: 3 }, counted: 8 }
const FEW: Rounds = { servers: 2, warmUps: { first: 8, later: 2 }, counted: 5 }
/**
 * An answer takes most of a second, whatever it costs: the more come together, the sooner it is over. Many short rounds
 * say more than a few long ones, for what disturbs a machine lasts longer than a round.
 */
const REQUESTS = { total: 32, connections: 32 }

const CASES: readonly Case[] = [
  { name: 'inspected, nobody looks', isOpen: false, limit: 1.03 },
  { name: 'inspected, a page is open', isOpen: true, limit: 1.1 },
]

/** What the inspector costs on top of what the proxy costs anyway. */
export const inspectorSuite: Suite = async (progress, { isQuick }) => {
  const rounds = isQuick ? FEW : MANY
  const figures: Figure[] = []
  const stages: RecordingStage[] = []
  const looking = new AbortController()
  try {
    while (stages.length < rounds.servers) {
      // oxlint-disable-next-line no-await-in-loop
      stages.push(await startInspectedStage('flow', EVENTS))
    }
    const servers = stages.map(({ server }) => server)
    for (const one of CASES) {
      progress(one.name)
      // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
      if (one.isOpen) await Promise.all(servers.map((server) => look(server, looking.signal)))
      const warmUps = figures.length === 0 ? rounds.warmUps.first : rounds.warmUps.later
      // oxlint-disable-next-line no-await-in-loop
      figures.push(await figureOf(one, servers, { warmUps, counted: rounds.counted }))
    }
    return figures
  } finally {
    looking.abort()
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

async function figureOf(
  { name, limit }: Case,
  servers: readonly Child[],
  counts: { readonly warmUps: number; readonly counted: number },
): Promise<Figure> {
  const { ratio, byServer, floor } = await measureRecording(servers, {
    sent: longRequest(STANDARD.client),
    ...REQUESTS,
    ...counts,
  })
  const each = byServer.map((value) => value.toFixed(2)).join(', ')
  const detail = `by process ${each}; without it ${(floor / 1000).toFixed(2)} ms of CPU per request`
  return { name, value: ratio, unit: 'ratio', detail, limit }
}

/** Reads the list as a page does. */
async function look({ port }: Child, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`http://127.0.0.1:${port}/_hydra/api/feed`, { signal })
  const read = async (): Promise<void> => {
    for await (const piece of body ?? []) void piece
  }
  read().catch(() => {})
}
