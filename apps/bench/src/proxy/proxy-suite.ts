import { type Pair, STANDARD } from '../dialects/benched.ts'
import { report } from '../report.ts'
import type { Figure, Suite } from '../suite.ts'
import { memoryFigure } from './memory.ts'
import { pacedFigures } from './paced.ts'
import { requestCostFigures } from './request-cost.ts'

/** What the proxy costs over real sockets, against a raw byte pipe. */
export const proxySuite: Suite = async (progress, { pairs = [STANDARD], isQuick }) => {
  const figures: Figure[] = []
  for (const pair of pairs) {
    // oxlint-disable-next-line no-await-in-loop -- what runs together would measure each other
    const measured = await pairFigures(progress, pair, isQuick || pairs.length > 2 ? 'few' : 'many')
    figures.push(...measured)
    // Many pairs take long, and whoever ends it early wants to see what there is.
    if (pairs.length > 1) console.error(`\n${report('proxy', measured)}\n`)
  }
  return isQuick ? figures : [...figures, await memoryFigure(progress)]
}

async function pairFigures(
  progress: Parameters<Suite>[0],
  pair: Pair,
  rounds: 'many' | 'few',
): Promise<readonly Figure[]> {
  const paced = await pacedFigures(progress, pair)
  return [...paced, ...(await requestCostFigures(progress, pair, rounds))]
}
