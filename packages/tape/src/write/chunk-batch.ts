import { Chunks } from '../redact/chunks.ts'

/** A leg that answers come on in chunks. */
export type ChunkLeg = 'u>' | '>c'

/** A chunk that waits for those that follow it. */
export interface HeldChunk {
  readonly leg: ChunkLeg
  readonly at: number
  readonly bytes: Uint8Array
}

/** Chunks of one exchange that are worked on together. */
export class ChunkBatch {
  readonly upstream: Chunks = new Chunks()
  readonly client: Chunks = new Chunks()
  /** The leg of each, in the order in which they came; the list may be longer. */
  readonly legs: ChunkLeg[] = []
  /** When each came, in microseconds since the epoch. */
  readonly times: number[] = []

  /** How many there are. */
  get count(): number {
    return this.upstream.count + this.client.count
  }

  /** Whether it is as large as a new one. */
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

  /** Copies of the chunks from a place on. */
  copyFrom(place: number): readonly HeldChunk[] {
    const held: HeldChunk[] = []
    let upstream = this.upstream.count
    let client = this.client.count
    while (upstream + client > place) {
      const at = upstream + client - 1
      const leg = this.legs[at] ?? 'u>'
      if (leg === 'u>') upstream -= 1
      else client -= 1
      const bytes = leg === 'u>' ? this.upstream.copyOf(upstream) : this.client.copyOf(client)
      held.push({ leg, at: this.times[at] ?? 0, bytes })
    }
    return held.toReversed()
  }

  clear(): void {
    this.upstream.clear()
    this.client.clear()
  }
}
