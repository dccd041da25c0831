import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pair, pairName, STANDARD } from '../dialects/benched.ts'
import { EVENTS } from '../proxy/request-cost.ts'
import { longRequest } from '../proxy/requests.ts'
import { type RecordingStage, startRecordingStage } from '../proxy/stage.ts'
import type { Figure, Suite } from '../suite.ts'
import { measureKeptGaps } from './kept-gaps.ts'
import { measureRecording } from './recording-cost.ts'

interface Case {
  readonly name: string
  readonly pace: 'together' | 'flow' | 'pairs'
  readonly total: number
  readonly warmUps: number
  /** How many servers it is measured with. */
  readonly servers: number
  readonly limit?: number
}

/** Events come one at a time from most models; the others are here to show what faster ones cost. */
const CASES: readonly Case[] = [
  { name: 'recording, one event at a time', pace: 'flow', total: 64, warmUps: 10, servers: 4, limit: 1.25 },
  { name: 'recording, two events per read', pace: 'pairs', total: 64, warmUps: 10, servers: 2 },
  { name: 'recording, everything at once', pace: 'together', total: 160, warmUps: 10, servers: 2 },
]

function quicker(one: Case): Case {
  return { ...one, warmUps: 4, servers: 2 }
}

/** What recording costs on top of what the proxy costs anyway, and how exactly a tape is played. */
export const tapeSuite: Suite = async (progress, { pairs = [STANDARD], isQuick }) => {
  const figures: Figure[] = []
  const cases = isQuick ? CASES.map(quicker) : CASES
  for (const [one, pair] of pairs.flatMap((other) => cases.map((each) => [each, other] as const))) {
    const name = `${one.name}, ${pairName(pair)}`
    progress(name)
    // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
    figures.push(await inFolder((folder) => figureOf({ ...one, name }, pair, folder)))
  }
  progress('playing')
  figures.push(await inFolder(measureKeptGaps))
  return figures
}

async function inFolder(measured: (folder: string) => Promise<Figure>): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'hydra-bench-'))
  try {
    return await measured(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function figureOf(
  { name, pace, limit, servers, ...round }: Case,
  pair: Pair,
  folder: string,
): Promise<Figure> {
  const stages: RecordingStage[] = []
  try {
    while (stages.length < servers) {
      // oxlint-disable-next-line no-await-in-loop
      stages.push(await startRecordingStage(pace, EVENTS, join(folder, `tapes-${stages.length}`), pair))
    }
    const measured = stages.map(({ server }) => server)
    const { ratio, byServer, floor } = await measureRecording(measured, {
      sent: longRequest(pair.client),
      ...round,
    })
    const each = byServer.map((value) => value.toFixed(2)).join(', ')
    const detail = `by process ${each}; without recording ${(floor / 1000).toFixed(2)} ms of CPU per request`
    return { name, value: ratio, unit: 'ratio', detail, ...(limit === undefined ? {} : { limit }) }
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
}
