import { STANDARD } from '../dialects/benched.ts'
import type { Child } from '../proxy/child.ts'
import { load } from '../proxy/load.ts'
import { EVENTS } from '../proxy/request-cost.ts'
import { longRequest } from '../proxy/requests.ts'
import { type RecordingStage, startInspectedStage } from '../proxy/stage.ts'
import type { Figure, Suite } from '../suite.ts'
import { measureRecording } from '../tape/recording-cost.ts'

interface Case {
  readonly name: string
  readonly isOpen: boolean
  readonly limit: number
  /** How many requests are sent in a round. */
  readonly total: number
  /** How many of the suite's rounds are counted: one part in so many. */
  readonly part: number
}

interface Rounds {
  readonly servers: number
  readonly warmUps: number
  readonly counted: number
}

const MANY: Rounds = { servers: 3, warmUps: 3, counted: 16 }
const FEW: Rounds = { servers: 2, warmUps: 2, counted: 8 }
/**
 * An answer takes most of a second, whatever it costs: the more come together, the sooner it is over. Many short rounds
 * say more than a few long ones, for what disturbs a machine lasts longer than a round.
 */
const CONNECTIONS = 32
/** A page reads without pauses for the first half second of traffic, which is not to be all that is measured. */
const LASTING = 4
/** These fill what the inspector may keep: a proxy runs for hours, and memory that it has never touched costs more. */
const FILLING = { total: 640, connections: 128 }

/** The upstream closes its answer a moment after the client has it, and only then the exchange is over; milliseconds. */
const UPSTREAM_ENDS = 50

const SENT = longRequest(STANDARD.client)

const CASES: readonly Case[] = [
  { name: 'inspected, nobody looks', isOpen: false, limit: 1.03, total: CONNECTIONS, part: 1 },
  { name: 'inspected, a page is open', isOpen: true, limit: 1.1, total: CONNECTIONS * LASTING, part: 2 },
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
    progress('filling the memory')
    await Promise.all(servers.map(({ port }) => load(port, SENT, FILLING)))
    for (const one of CASES) {
      progress(one.name)
      // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
      if (one.isOpen) await Promise.all(servers.map((server) => look(server, looking.signal)))
      // oxlint-disable-next-line no-await-in-loop
      figures.push(await figureOf(one, servers, rounds))
    }
    return figures
  } finally {
    looking.abort()
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

async function figureOf(
  { name, limit, isOpen, total, part }: Case,
  servers: readonly Child[],
  { warmUps, counted }: Rounds,
): Promise<Figure> {
  if (isOpen) await Promise.all(servers.map(readRest))
  const left: number[] = []
  const { ratio, byServer, floor } = await measureRecording(servers, {
    sent: SENT,
    total,
    connections: CONNECTIONS,
    warmUps,
    counted: counted / part,
    // What is read for a page when the requests are over is no cost of the next ones, which may be the unrecorded.
    settle: async (server) => {
      if (isOpen) left.push(await readRest(server))
    },
  })
  const each = byServer.map((value) => value.toFixed(2)).join(', ')
  // Only what was recorded leaves something to read, which is every second round.
  const read = (left.reduce((sum, cpu) => sum + cpu, 0) / left.length) * 2
  const later = isOpen ? `; read afterwards in ${(read / total / 1000).toFixed(2)} ms` : ''
  const detail = `by process ${each}; without it ${(floor / 1000).toFixed(2)} ms of CPU per request${later}`
  return { name, value: ratio, unit: 'ratio', detail, limit }
}

/** Has everything read that was not read beside the requests, as a search does; what that takes, in CPU microseconds. */
async function readRest(server: Child): Promise<number> {
  const { cpu: before } = await server.account()
  await new Promise((resolve) => setTimeout(resolve, UPSTREAM_ENDS))
  const found = await fetch(`http://127.0.0.1:${server.port}/_hydra/api/search?words=none`)
  await found.arrayBuffer()
  if (!found.ok) throw new Error(`a search was answered with ${found.status}`)
  return (await server.account()).cpu - before
}

/** Reads the list as a page does. */
async function look({ port }: Child, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`http://127.0.0.1:${port}/_hydra/api/feed`, { signal })
  const read = async (): Promise<void> => {
    for await (const piece of body ?? []) void piece
  }
  read().catch(() => {})
}
