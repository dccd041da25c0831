import { generatedRequest } from '../core/requests.ts'
import { median } from '../measure.ts'
import type { Figure } from '../suite.ts'
import type { Child } from './child.ts'
import { load } from './load.ts'
import { startStage } from './stage.ts'

/** How many events an answer has. */
export const EVENTS = 340
const CONNECTIONS = 16
const ROUNDS = 7

interface Case {
  readonly name: string
  readonly pace: 'burst' | 'flow'
  readonly body: Buffer
  readonly limit: number
  /** Requests per round. */
  readonly total: number
  /** Rounds before the first that counts: a proxy runs for hours, and what is measured is not its first minute. */
  readonly warmUps: number
}

/** A request of the size that Claude Code sends. */
export function longRequest(): Buffer {
  return Buffer.from(generatedRequest({ tools: 24, system: 20_000, messages: 3, message: 600 }))
}

/** What a request costs the proxy by what it costs a raw byte pipe, in CPU time of the process. */
export async function requestCostFigures(progress: (what: string) => void): Promise<Figure[]> {
  const long = longRequest()
  const short = Buffer.from(generatedRequest({ tools: 0, system: 0, messages: 1, message: 800 }))
  const cases: Case[] = [
    { name: 'flow, one event at a time', pace: 'flow', body: long, limit: 1.15, total: 64, warmUps: 10 },
    { name: 'burst, everything at once', pace: 'burst', body: long, limit: 3, total: 480, warmUps: 10 },
    { name: 'burst, small request', pace: 'burst', body: short, limit: 2, total: 800, warmUps: 10 },
  ]
  const figures: Figure[] = []
  for (const one of cases) {
    progress(`${one.name} (${Math.round(one.body.length / 1024)} KB, ${EVENTS} events)`)
    // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
    figures.push(await figureOf(one))
  }
  return figures
}

async function figureOf({ name, pace, limit, ...round }: Case): Promise<Figure> {
  const stage = await startStage(pace, EVENTS)
  try {
    const { ratio, floor } = await compareCosts(stage.hydra, stage.pipe, round)
    const detail = `the pipe takes ${(floor / 1000).toFixed(2)} ms of CPU per request`
    return { name, value: ratio, unit: 'ratio', limit, detail }
  } finally {
    await stage.close()
  }
}

/** Requests that are sent together. */
export interface Requests {
  readonly body: Buffer
  readonly total: number
  readonly userAgent?: string
}

/** What a round consists of. */
export interface Round extends Requests {
  /** Rounds before the first that counts. */
  readonly warmUps: number
}

/** How much more CPU time a request costs one process than the other, and what it costs the other (microseconds). */
export async function compareCosts(
  subject: Child,
  floor: Child,
  { warmUps, ...requests }: Round,
): Promise<{ readonly ratio: number; readonly floor: number }> {
  const cost = (child: Child): Promise<number> => costOf(child, requests)
  for (let warmUp = 0; warmUp < warmUps; warmUp += 1) {
    // oxlint-disable-next-line no-await-in-loop
    for (const child of [floor, subject]) await cost(child)
  }
  const ratios: number[] = []
  const floors: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const least = await cost(floor)
    // oxlint-disable-next-line no-await-in-loop
    ratios.push((await cost(subject)) / least)
    floors.push(least)
  }
  return { ratio: median(ratios), floor: median(floors) }
}

/** CPU microseconds per request. */
export async function costOf(child: Child, { body, total, userAgent }: Requests): Promise<number> {
  const before = await child.account()
  await load(child.port, body, { total, connections: CONNECTIONS, userAgent })
  const after = await child.account()
  return (after.cpu - before.cpu) / total
}
