import { Chunks } from './chunks.ts'

/** A leg that answers come on in chunks. */
export type ChunkLeg = 'u>' | '>c'

/** How many chunks of each leg. */
export interface LegCounts {
  readonly upstream: number
  readonly client: number
}

/** Chunks of one exchange that are worked on together. */
export class ChunkBatch {
  readonly upstream: Chunks = new Chunks()
  readonly client: Chunks = new Chunks()
  /** The leg of each chunk, in their order; entries beyond the count are left from earlier batches. */
  readonly legs: ChunkLeg[] = []
  /** When each came, in microseconds since the epoch. */
  readonly times: number[] = []

  get count(): number {
    return this.upstream.count + this.client.count
  }

  /** Whether its memory is as small as that of a new one. */
  get isSmall(): boolean {
    return this.upstream.isSmall && this.client.isSmall
  }

  add(leg: ChunkLeg, at: number, piece: string | Uint8Array): void {
    const { count } = this
    this.legs[count] = leg
    this.times[count] = at
    if (leg === 'u>') this.upstream.add(piece)
    else this.client.add(piece)
  }

  /** The longest beginning of the batch that has no more chunks of each leg than these. */
  beginning(most: LegCounts): LegCounts {
    let upstream = this.upstream.count
    let client = this.client.count
    while (upstream > most.upstream || client > most.client) {
      if (this.legs[upstream + client - 1] === 'u>') upstream -= 1
      else client -= 1
    }
    return { upstream, client }
  }

  clear(): void {
    this.upstream.clear()
    this.client.clear()
  }
}
