import type { Suite } from '../suite.ts'
import { memoryFigures } from './memory.ts'
import { requestCostFigures } from './request-cost.ts'

/** What the proxy costs over real sockets, against a raw byte pipe. */
export const proxySuite: Suite = async (progress) => [
  ...(await requestCostFigures(progress)),
  ...(await memoryFigures(progress)),
]
