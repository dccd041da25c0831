import { STANDARD } from '../dialects/benched.ts'
import { measure, median, medianRatio } from '../measure.ts'
import type { Figure, Suite } from '../suite.ts'
import { copyBody } from './floor.ts'
import { translateRequest } from './pair-exchange.ts'
import { generatedRequest } from './requests.ts'

/** Ten times the history may cost eleven times as much where the floor's cost grows by ten. */
const LIMIT = 1.1

/**
 * What ten times the history costs. It is the total cost that is compared, of requests without tools and
 * without a system prompt: a fixed part would flatter the ratio. The limit holds for our growth by the floor's,
 * because JSON itself costs more per byte in a long body: the engine's collector copies what lives longer.
 */
export function growthFigures(progress: Parameters<Suite>[0]): Figure[] {
  progress('growth')
  const short = generatedRequest({ tools: 0, system: 0, messages: 401, message: 600 })
  const long = generatedRequest({ tools: 0, system: 0, messages: 4001, message: 600 })
  const costs = measure(
    {
      short: (times) => repeat(times, () => translateRequest(STANDARD, short)),
      long: (times) => repeat(times, () => translateRequest(STANDARD, long)),
      shortFloor: (times) => repeat(times, () => copyBody(short)),
      longFloor: (times) => repeat(times, () => copyBody(long)),
    },
    { roundMilliseconds: 150 },
  )
  const growth = medianRatio(costs.long, costs.short)
  const floorGrowth = medianRatio(costs.longFloor, costs.shortFloor)
  const name = 'growth from 400 to 4,000 messages'
  const times = `${median(costs.long).toFixed(1)} ms against ${median(costs.short).toFixed(2)} ms`
  return [
    { name, value: growth, unit: 'ratio', detail: times },
    {
      name: `${name}, by the floor's`,
      value: growth / floorGrowth,
      unit: 'ratio',
      limit: LIMIT,
      detail: `the floor grows by ${floorGrowth.toFixed(2)}`,
    },
  ]
}

function repeat(times: number, work: () => void): void {
  for (let time = 0; time < times; time += 1) work()
}
