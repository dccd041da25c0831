import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STANDARD } from '../dialects/benched.ts'
import { EVENTS } from '../proxy/request-cost.ts'
import { longRequest, shortRequest } from '../proxy/requests.ts'
import { type RecordingStage, startCountingStage } from '../proxy/stage.ts'
import type { Figure, Suite } from '../suite.ts'
import { measureRecording } from '../tape/recording-cost.ts'
import { startStore } from './store-process.ts'

interface Case {
  readonly name: string
  readonly store: string
  readonly limit?: number
}

const SERVERS = 2

/** A turn of an agent, as the other suites measure it, and the least that a request can be. */
const SIZES = [
  { name: 'a turn', events: EVENTS, sent: longRequest(STANDARD.client), total: 64, warmUps: 6 },
  { name: 'a small request', events: 10, sent: shortRequest(STANDARD.client), total: 400, warmUps: 6 },
] as const

/** What counting costs on top of what the proxy costs anyway: key, rates, streams, two budgets, the books. */
export const teamSuite: Suite = async (progress) => {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-bench-team-'))
  const redis = await startStore()
  if (redis === undefined) progress('no redis-server or valkey-server here: only memory and file')
  const cases: readonly Case[] = [
    { name: 'memory', store: 'memory', limit: 1.02 },
    { name: 'file', store: `file:${join(folder, 'team.db')}` },
    ...(redis === undefined ? [] : [{ name: 'Redis', store: redis.url, limit: 1.1 }]),
  ]
  try {
    const figures: Figure[] = []
    for (const one of cases) {
      for (const [index, size] of SIZES.entries()) {
        progress(`${one.name}, ${size.name}`)
        // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
        figures.push(await figureOf(index === 0 ? one : { ...one, limit: undefined }, size))
      }
    }
    return figures
  } finally {
    await redis?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function figureOf(
  { name, store, limit }: Omit<Case, 'limit'> & { readonly limit?: number | undefined },
  { name: size, events, ...round }: (typeof SIZES)[number],
): Promise<Figure> {
  const stages: RecordingStage[] = []
  try {
    while (stages.length < SERVERS) {
      // oxlint-disable-next-line no-await-in-loop
      stages.push(await startCountingStage('flow', events, store))
    }
    const { ratio, byServer, floor } = await measureRecording(
      stages.map(({ server }) => server),
      round,
    )
    const each = byServer.map((value) => value.toFixed(2)).join(', ')
    const detail = `by process ${each}; without it ${(floor / 1000).toFixed(2)} ms of CPU per request`
    const named = { name: `counted in ${name}, ${size}`, value: ratio, unit: 'ratio', detail } as const
    return limit === undefined ? named : { ...named, limit }
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
}
