import type { Pair } from '../dialects/benched.ts'
import { pairName } from '../dialects/benched.ts'
import { median } from '../measure.ts'
import type { Figure } from '../suite.ts'
import type { Child } from './child.ts'
import { load, type SentRequest } from './load.ts'
import { longRequest, shortRequest } from './requests.ts'
import { type Pace, startStage } from './stage.ts'

/** How many events an answer has. */
export const EVENTS = 340
const CONNECTIONS = 16

interface Case {
  readonly name: string
  readonly pace: Pace
  readonly events: number
  readonly request: (pair: Pair) => SentRequest
  readonly limit: (isRelayed: boolean) => number
  /** Requests per round. */
  readonly total: number
  /** Rounds before the first that counts, where it takes more of them than usual. */
  readonly warmUps?: number
}

/** How many rounds there are. */
interface Rounds {
  /** Before the first that counts: a proxy runs for hours, and what is measured is not its first minute. */
  readonly warmUps: number
  readonly counted: number
}

const MANY: Rounds = { warmUps: 10, counted: 7 }
/** For whoever measures many pairs, or wants to know soon. */
const FEW: Rounds = { warmUps: 3, counted: 3 }

/** V8 compiles most functions once more after about 10,000 short exchanges, which is no part of what one costs. */
const COMPILED = 16

const CASES: readonly Case[] = [
  {
    name: 'saturated flow',
    pace: 'flow',
    events: EVENTS,
    request: ({ client }) => longRequest(client),
    limit: () => 0.95,
    total: 64,
  },
  {
    name: 'burst',
    pace: 'burst',
    events: EVENTS,
    request: ({ client }) => longRequest(client),
    limit: (isRelayed) => (isRelayed ? 1.2 : 1.5),
    total: 160,
  },
  {
    name: 'small request',
    pace: 'burst',
    events: EVENTS,
    request: ({ client }) => shortRequest(client),
    limit: () => 1.1,
    total: 320,
  },
  {
    // What an exchange costs at the least. The limit does not say how long the answer is, so it holds for both.
    name: 'small request, ten events',
    pace: 'burst',
    events: 10,
    request: ({ client }) => shortRequest(client),
    limit: () => 1.1,
    total: 800,
    warmUps: COMPILED,
  },
  {
    name: 'whole JSON answer',
    pace: 'whole',
    events: EVENTS,
    request: ({ client }) => shortRequest(client, false),
    limit: () => 2.7,
    total: 800,
    warmUps: COMPILED,
  },
]

/** What a request costs the proxy by what it costs a raw byte pipe, in CPU time of the process. */
export async function requestCostFigures(
  progress: (what: string) => void,
  pair: Pair,
  wanted: 'many' | 'few',
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const one of CASES) {
    if (one.pace === 'whole' && pair.upstream.benched.whole === undefined) continue
    progress(`${one.name}, ${pairName(pair)}`)
    const usual = wanted === 'few' ? FEW : MANY
    const rounds = { ...usual, warmUps: one.warmUps ?? usual.warmUps }
    // oxlint-disable-next-line no-await-in-loop -- cases that run together would measure each other
    figures.push(await figureOf(one, pair, rounds))
  }
  return figures
}

async function figureOf(
  { name, pace, events, request, limit, total }: Case,
  pair: Pair,
  rounds: Rounds,
): Promise<Figure> {
  const stage = await startStage(pace, events, pair)
  try {
    const { ratio, floor } = await compareCosts(stage.hydra, stage.pipe, {
      sent: request(pair),
      total,
      rounds,
    })
    const isRelayed = pair.client.name === pair.upstream.name
    return {
      name,
      pair: pairName(pair),
      value: ratio,
      unit: 'ratio',
      limit: limit(isRelayed),
      detail: `the pipe takes ${(floor / 1000).toFixed(2)} ms of CPU per request`,
    }
  } finally {
    await stage.close()
  }
}

/** Requests that are sent together. */
export interface Requests {
  readonly sent: SentRequest
  readonly total: number
  readonly connections?: number
}

/** A comparison of two processes. */
interface Comparison extends Requests {
  readonly rounds: Rounds
}

/** How much more CPU time a request costs one process than the other, and what it costs the other (microseconds). */
async function compareCosts(
  subject: Child,
  floor: Child,
  { rounds, ...requests }: Comparison,
): Promise<{ readonly ratio: number; readonly floor: number }> {
  const cost = (child: Child): Promise<number> => costOf(child, requests)
  for (let warmUp = 0; warmUp < rounds.warmUps; warmUp += 1) {
    // oxlint-disable-next-line no-await-in-loop
    for (const child of [floor, subject]) await cost(child)
  }
  const ratios: number[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds.counted; round += 1) {
    // oxlint-disable-next-line no-await-in-loop
    const least = await cost(floor)
    // oxlint-disable-next-line no-await-in-loop
    ratios.push((await cost(subject)) / least)
    floors.push(least)
  }
  return { ratio: median(ratios), floor: median(floors) }
}

/** CPU microseconds per request. */
export async function costOf(
  child: Child,
  { sent, total, connections = CONNECTIONS }: Requests,
): Promise<number> {
  const before = await child.account()
  await load(child.port, sent, { total, connections })
  const after = await child.account()
  return (after.cpu - before.cpu) / total
}
