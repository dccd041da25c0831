import { Chunks } from '../redact/chunks.ts'

/** A leg that answers come on in chunks. */
export type ChunkLeg = 'u>' | '>c'

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

  clear(): void {
    this.upstream.clear()
    this.client.clear()
  }
}
