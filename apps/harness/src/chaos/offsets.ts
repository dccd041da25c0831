import { newRandom } from './random.ts'

/** Which cases of one kind are looked at. */
export interface OffsetChoice {
  /** How many there are. */
  readonly size: number
  /** How many are looked at, at most. */
  readonly limit: number
  readonly seed: number
  /** The only one that is wanted. */
  readonly offset: number | undefined
}

/** The numbers of the cases that are looked at, in order: all of them, or a number of them, drawn by the seed. */
export function offsetsOf({ size, limit, seed, offset }: OffsetChoice): readonly number[] {
  if (offset !== undefined) return offset < size ? [offset] : []
  if (size <= limit) return Array.from({ length: size }, (_, index) => index)
  // The first and the last ones are where answers begin and end, so they are never left to chance.
  const edge = Math.floor(limit / 4)
  const chosen = new Set<number>()
  for (let index = 0; index < edge; index += 1) chosen.add(index).add(size - 1 - index)
  const random = newRandom(seed, size)
  while (chosen.size < limit) chosen.add(random.below(size))
  return [...chosen].toSorted((one, other) => one - other)
}
