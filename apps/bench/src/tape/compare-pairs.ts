import { median } from '../measure.ts'
import type { Child } from '../proxy/child.ts'
import { costOf, type Round } from '../proxy/request-cost.ts'

/** Two processes that do the same work, one of them with something on top. */
export interface Pair {
  readonly subject: Child
  readonly floor: Child
}

/** What was found over all pairs and rounds. */
export interface PairsComparison {
  /** How much more CPU time a request costs the subjects. */
  readonly ratio: number
  /** The same by pair, the smallest first. */
  readonly byPair: readonly number[]
  /** What a request costs without it, in microseconds. */
  readonly floor: number
}

/** Rounds that count, for each pair. */
const ROUNDS = 4

/**
 * Compares several pairs of processes. Two processes that do the very same differ by a few percent for as long as they
 * live, by where their code and memory happen to lie: one pair alone would measure that as well.
 */
export async function comparePairs(pairs: readonly Pair[], round: Round): Promise<PairsComparison> {
  await warmUp(
    pairs.flatMap(({ floor, subject }) => [floor, subject]),
    round,
  )
  const ratios: number[][] = pairs.map(() => [])
  const floors: number[] = []
  for (let count = 0; count < ROUNDS; count += 1) {
    for (const [index, pair] of pairs.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- what runs together would measure each other
      const { subject, floor } = await costsOf(pair, round, count % 2 === 0)
      ratios[index]?.push(subject / floor)
      floors.push(floor)
    }
  }
  const byPair = ratios.map((each) => median(each)).toSorted((one, other) => one - other)
  return { ratio: median(ratios.flat()), byPair, floor: median(floors) }
}

/** All at once, for nothing is measured yet; and then one after the other, as it is measured. */
async function warmUp(children: readonly Child[], { body, total, warmUps }: Round): Promise<void> {
  for (let count = 0; count < warmUps; count += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all(children.map((child) => costOf(child, body, total)))
  }
  // oxlint-disable-next-line no-await-in-loop
  for (const child of children) await costOf(child, body, total)
}

/** What a request costs both; neither always comes first. */
async function costsOf(
  { subject, floor }: Pair,
  { body, total }: Round,
  isFloorFirst: boolean,
): Promise<Record<keyof Pair, number>> {
  if (isFloorFirst) {
    const least = await costOf(floor, body, total)
    return { floor: least, subject: await costOf(subject, body, total) }
  }
  const most = await costOf(subject, body, total)
  return { subject: most, floor: await costOf(floor, body, total) }
}
