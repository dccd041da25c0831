import { measure, median, medianRatio } from '../measure.ts'
import type { Figure, Suite } from '../suite.ts'
import { copyBody } from './floor.ts'
import { generatedRequest } from './requests.ts'
import { translateBody } from './translation.ts'

/** What translating a request may cost at most. */
const LIMIT = 1.5

/** The cost of requests: a fresh conversation, which is mostly tools, and a long one, which is mostly history. */
export function requestFigures(progress: Parameters<Suite>[0]): Figure[] {
  progress('requests')
  return [
    figureOf('80 KB, 24 tools', generatedRequest({ tools: 24, system: 14_000, messages: 9, message: 1300 })),
    figureOf(
      '1 MB, 400 messages',
      generatedRequest({ tools: 24, system: 14_000, messages: 401, message: 2270 }),
    ),
  ]
}

function figureOf(kind: string, body: string): Figure {
  const { floor, ours } = measure({
    floor: (times) => {
      for (let time = 0; time < times; time += 1) copyBody(body)
    },
    ours: (times) => {
      for (let time = 0; time < times; time += 1) translateBody(body)
    },
  })
  const detail = `${milliseconds(ours)} against ${milliseconds(floor)}; ${Math.round(body.length / 1000)} KB`
  return { name: `request of ${kind}`, value: medianRatio(ours, floor), unit: 'ratio', limit: LIMIT, detail }
}

function milliseconds(costs: readonly number[]): string {
  return `${median(costs).toFixed(2)} ms`
}
