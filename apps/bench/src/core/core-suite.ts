import type { Suite } from '../suite.ts'
import { growthFigures } from './growth.ts'
import { memoryFigures } from './memory.ts'
import { requestFigures } from './request-cost.ts'
import { streamFigures } from './stream-cost.ts'

/** What the translators of the core cost. */
export const coreSuite: Suite = (progress, wishes) => [
  ...streamFigures(progress, wishes),
  ...requestFigures(progress, wishes),
  ...growthFigures(progress),
  ...memoryFigures(progress),
]
