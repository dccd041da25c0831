import { Chunks } from './chunks.ts'
import { EventRun } from './event-run.ts'

/** A leg that answers come on in chunks. */
export type ChunkLeg = 'u>' | '>c'

/** How many chunks of each leg. */
export interface LegCounts {
  readonly upstream: number
  readonly client: number
}

/** Where the alike events of each leg are found; batches that are worked on one after the other can share them. */
export interface LegRuns {
  readonly upstream: EventRun
  readonly client: EventRun
}

/** Chunks of one exchange that are worked on together. */
export class ChunkBatch {
  readonly upstream: Chunks
  readonly client: Chunks
  /** The leg of each chunk, in their order; entries beyond the count are left from earlier batches. */
  readonly legs: ChunkLeg[] = []
  /** When each came, in microseconds since the epoch. */
  readonly times: number[] = []

  constructor({ upstream, client }: LegRuns = { upstream: new EventRun(), client: new EventRun() }) {
    this.upstream = new Chunks(upstream)
    this.client = new Chunks(client)
  }

  get count(): number {
    return this.upstream.count + this.client.count
  }

  /** Whether it is worth while to use its memory again. */
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

  /** Drops the first chunks. */
  drop(count: number): void {
    let upstream = 0
    for (let place = 0; place < count; place += 1) if (this.legs[place] === 'u>') upstream += 1
    for (let place = count; place < this.count; place += 1) {
      this.legs[place - count] = this.legs[place] ?? 'u>'
      this.times[place - count] = this.times[place] ?? 0
    }
    this.upstream.drop(upstream)
    this.client.drop(count - upstream)
  }
}
