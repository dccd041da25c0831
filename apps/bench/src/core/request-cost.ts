import { type Pair, pairName, PAIRS } from '../dialects/benched.ts'
import {
  measure,
  type MeasureOptions,
  median,
  medianRatio,
  quicker,
  type Subject,
  warmUp,
} from '../measure.ts'
import type { Figure, Suite, Wishes } from '../suite.ts'
import { copyBody } from './floor.ts'
import { requestBody, translateRequest } from './pair-exchange.ts'
import type { RequestSize } from './requests.ts'

/** What translating a request may cost at most. */
const LIMIT = 1.5

/**
 * Requests fill the young generation some ten times a second. Shorter rounds than these fell into step with its
 * collections, so that one of both paid for all of them: up to a quarter of its cost.
 */
const TIMING = { rounds: 7, roundMilliseconds: 200, warmUpMilliseconds: 300 }

/** A fresh conversation, which is mostly tools, and a long one, which is mostly history. */
const SIZES: Readonly<Record<string, RequestSize>> = {
  '80 KB, 24 tools': { tools: 24, system: 14_000, messages: 9, message: 1300 },
  '1 MB, 400 messages': { tools: 24, system: 14_000, messages: 401, message: 2270 },
}

/** The cost of requests, from every client to every upstream. */
export function requestFigures(progress: Parameters<Suite>[0], { isQuick }: Wishes): Figure[] {
  const timing = isQuick ? quicker(TIMING) : TIMING
  const cases = Object.entries(SIZES).flatMap(([kind, size]) => PAIRS.map((pair) => caseOf(pair, kind, size)))
  // What the compiler has learnt from the first pairs alone it throws away with each pair that follows. That is the
  // price of a program's first seconds and not of a request, so every pair is known before one is measured.
  progress('requests of every pair')
  for (const { translate } of cases) warmUp(translate, timing.warmUpMilliseconds)
  return cases.map((one) => {
    progress(one.name)
    return figureOf(one, timing)
  })
}

interface Case {
  readonly name: string
  readonly body: string
  readonly translate: Subject
}

function caseOf(pair: Pair, kind: string, size: RequestSize): Case {
  const body = requestBody(pair.client, size)
  return {
    name: `request of ${kind}, ${pairName(pair)}`,
    body,
    translate: (times) => {
      for (let time = 0; time < times; time += 1) translateRequest(pair, body)
    },
  }
}

function figureOf({ name, body, translate }: Case, timing: MeasureOptions): Figure {
  const { floor, ours } = measure(
    {
      floor: (times) => {
        for (let time = 0; time < times; time += 1) copyBody(body)
      },
      ours: translate,
    },
    timing,
  )
  const detail = `${milliseconds(ours)} against ${milliseconds(floor)}; ${Math.round(body.length / 1000)} KB`
  return { name, value: medianRatio(ours, floor), unit: 'ratio', limit: LIMIT, detail }
}

function milliseconds(costs: readonly number[]): string {
  return `${median(costs).toFixed(2)} ms`
}
