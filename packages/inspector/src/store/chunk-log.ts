import { Buffer } from 'node:buffer'
import type { TapedChunk } from '@hydra/tape'
import { isAscii, type KeptBytes } from './kept-bytes.ts'

/** This much text is gathered before it is copied: one long copy is cheaper than many short ones. */
const BATCH = 1024
/** What a chunk takes beside its bytes, and for how many of them that is charged at once. */
const CHUNK_BYTES = 24
const CHARGED = 64

/**
 * The chunks of one leg with their times. Their bytes are copied one behind the other: to keep thousands of small
 * buffers and strings would cost the garbage collector more than the copies cost.
 */
export class ChunkLog {
  readonly #bytes: KeptBytes
  readonly #times: number[] = []
  readonly #lengths: number[] = []
  /** Where the chunks begin that are copied already. */
  readonly #starts: number[] = []
  #gathered = ''

  constructor(bytes: KeptBytes) {
    this.#bytes = bytes
  }

  get count(): number {
    return this.#times.length
  }

  add(at: number, piece: string | Uint8Array): void {
    if (this.#times.length % CHARGED === 0) this.#bytes.charge(CHARGED * CHUNK_BYTES)
    if (typeof piece === 'string') this.#gather(at, piece)
    else {
      this.#copy()
      this.#note(at, piece.length)
      this.#starts.push(this.#bytes.append(piece))
    }
  }

  /** The chunks, from one on. */
  chunks(from = 0): TapedChunk[] {
    this.#copy()
    return this.#starts.slice(from).map((start, offset) => {
      const end = start + (this.#lengths[from + offset] ?? 0)
      return { at: this.#times[from + offset] ?? 0, bytes: this.#bytes.read({ start, end }) }
    })
  }

  /** When the last chunk came. */
  get lastAt(): number | undefined {
    return this.#times.at(-1)
  }

  /** Nothing more will come. */
  settle(): void {
    this.#copy()
  }

  #gather(at: number, text: string): void {
    this.#note(at, text.length)
    this.#gathered += text
    if (this.#gathered.length >= BATCH) this.#copy()
  }

  #note(at: number, length: number): void {
    this.#times.push(at)
    this.#lengths.push(length)
  }

  #copy(): void {
    const text = this.#gathered
    const first = this.#starts.length
    if (first === this.#times.length) return
    this.#gathered = ''
    if (isAscii(text)) this.#copyAscii(text, first)
    else this.#copyEach(text, first)
  }

  #copyAscii(text: string, first: number): void {
    const start = this.#bytes.appendAscii(text)
    let from = 0
    for (let index = first; index < this.#times.length; index += 1) {
      this.#starts.push(start < 0 ? start : start + from)
      from += this.#lengths[index] ?? 0
    }
  }

  /** Each piece was encoded by itself when it was sent, so it is here. */
  #copyEach(text: string, first: number): void {
    let from = 0
    for (let index = first; index < this.#times.length; index += 1) {
      const to = from + (this.#lengths[index] ?? 0)
      const bytes = Buffer.from(text.slice(from, to))
      this.#starts.push(this.#bytes.append(bytes))
      this.#lengths[index] = bytes.length
      from = to
    }
  }
}
