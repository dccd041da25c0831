import { median } from '../measure.ts'
import type { Child } from '../proxy/child.ts'
import { costOf, type Requests } from '../proxy/request-cost.ts'

/** Whose requests the servers of this benchmark do not record. */
export const UNRECORDED = 'unrecorded/1'

/** What was found over all servers and rounds. */
export interface RecordingCost {
  /** How much more CPU time a request costs that is recorded. */
  readonly ratio: number
  /** The same by server, the smallest first. */
  readonly byServer: readonly number[]
  /** What a request costs that is not recorded, in microseconds. */
  readonly floor: number
}

/** How many rounds there are for each server: before the first that counts, and others. */
interface RecordingRounds {
  readonly warmUps: number
  readonly counted?: number
  /** Waits until a server has nothing left to do of what it recorded, which others would pay for. */
  readonly settle?: (server: Child) => Promise<void>
}

const COUNTED = 5

/**
 * Compares requests that are recorded with others that are not, in the same processes. Two processes that do the very
 * same differ by a tenth for as long as they live, by what became of their code and where their memory happens to lie:
 * one that records and one that does not would mostly measure that.
 */
export async function measureRecording(
  servers: readonly Child[],
  { warmUps, counted = COUNTED, settle = async () => {}, ...recorded }: Requests & RecordingRounds,
): Promise<RecordingCost> {
  const unrecorded = { ...recorded, sent: { ...recorded.sent, userAgent: UNRECORDED } }
  const costsOf = async (server: Child, kinds: readonly Requests[]): Promise<Map<Requests, number>> => {
    const costs = new Map<Requests, number>()
    for (const requests of kinds) {
      // oxlint-disable-next-line no-await-in-loop -- one kind after the other
      costs.set(requests, await costOf(server, requests))
      // oxlint-disable-next-line no-await-in-loop
      await settle(server)
    }
    return costs
  }
  for (let count = 0; count < warmUps; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- all at once, for nothing is measured yet
    await Promise.all(servers.map((server) => costsOf(server, [recorded, unrecorded])))
  }
  const ratios: number[][] = servers.map(() => [])
  const floors: number[] = []
  for (let count = 0; count < counted; count += 1) {
    for (const [index, server] of servers.entries()) {
      // Neither always comes first.
      const order = count % 2 === 0 ? [unrecorded, recorded] : [recorded, unrecorded]
      // oxlint-disable-next-line no-await-in-loop -- what runs together would measure each other
      const costs = await costsOf(server, order)
      const floor = costs.get(unrecorded) ?? Number.NaN
      ratios[index]?.push((costs.get(recorded) ?? Number.NaN) / floor)
      floors.push(floor)
    }
  }
  const byServer = ratios.map((each) => median(each)).toSorted((one, other) => one - other)
  return { ratio: median(ratios.flat()), byServer, floor: median(floors) }
}
