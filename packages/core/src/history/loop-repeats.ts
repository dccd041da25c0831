import type { LoopOptions } from './loop-options.ts'
import type { LoopStep } from './loop-steps.ts'

/** Whether a step brings no more than one before it. */
export type Repeats = (step: LoopStep, earlier: LoopStep) => boolean

/** What counts as a repetition for a kind of loop. */
export function repeatsOf(kind: 'same_call' | 'similar_calls' | 'same_tool', options: LoopOptions): Repeats {
  const isStale = (step: LoopStep, isNew: boolean): boolean =>
    !isNew || (step.outcome !== 'result' && !options.failuresAreNews)
  if (kind === 'same_call') {
    return (step, earlier) => step.call === earlier.call && isStale(step, step.isNewForCall)
  }
  if (kind === 'same_tool') {
    return (step, earlier) => step.tool === earlier.tool && isStale(step, step.isNewForTool)
  }
  const isWork = ({ outcome, tool }: LoopStep): boolean =>
    outcome === 'result' && options.changingTools.some((pattern) => pattern.test(tool))
  return (step, earlier) =>
    step.tool === earlier.tool &&
    isStale(step, step.isNewForTool) &&
    (step.call === earlier.call || (!isWork(step) && isSimilar(step.signature, earlier.signature)))
}

/** A difference of this many characters is small in any input. */
const FEW = 12

/** So is one that leaves this share of the longer input in common. */
const COMMON_SHARE = 0.75

/** Whether two texts are the same but for one small piece. */
export function isSimilar(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  const different = long.length - start - end
  return different <= FEW || different <= long.length * (1 - COMMON_SHARE)
}
