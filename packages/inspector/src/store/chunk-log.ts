import type { TapedChunk } from '@hydra/tape'
import type { KeptBytes } from './kept-bytes.ts'

/** The chunks of one leg with their times. */
export class ChunkLog {
  readonly #bytes: KeptBytes
  readonly #leg: number
  count = 0

  constructor(bytes: KeptBytes) {
    this.#bytes = bytes
    this.#leg = bytes.newLeg()
  }

  add(at: number, piece: string | Uint8Array): void {
    this.count += 1
    this.#bytes.add(this.#leg, at, piece)
  }

  /** The chunks, from one on. */
  chunks(from = 0): TapedChunk[] {
    const chunks: TapedChunk[] = []
    let passed = 0
    for (const { leg, at, span } of this.#bytes.pieces()) {
      if (leg !== this.#leg) continue
      if (passed >= from) chunks.push({ at, bytes: this.#bytes.read(span) })
      passed += 1
    }
    return chunks
  }

  /** When the last chunk came. */
  get lastAt(): number | undefined {
    let last: number | undefined
    for (const { leg, at } of this.#bytes.pieces()) if (leg === this.#leg) last = at
    return last
  }
}
