import type { FrameChecksum } from './frame-checksum.ts'

/** A piece of a stream, one character per byte, and what is replaced in it. */
export class Piece {
  /** As it came. */
  readonly bytes: string
  /** How many channels still wait to learn whether a secret begins in it; it must not be written before. */
  holders = 0
  /** Kept, because each frame that lies in the piece looks at it for its checksum. */
  #marked: string | undefined
  #marks: { readonly at: number; readonly mark: string }[] | undefined
  #checksums: { readonly at: number; readonly from: number; readonly checksum: FrameChecksum }[] | undefined

  constructor(bytes: string) {
    this.bytes = bytes
  }

  /** Puts a mark over bytes of the piece. */
  cover(at: number, mark: string): void {
    this.#marks ??= []
    this.#marks.push({ at, mark })
    this.#marked = undefined
  }

  get isCovered(): boolean {
    return this.#marks !== undefined
  }

  /** At a place of the piece there is a checksum, from one of its own bytes on. */
  hasChecksum(at: number, from: number, checksum: FrameChecksum): void {
    this.#checksums ??= []
    this.#checksums.push({ at, from, checksum })
  }

  /** The piece with its marks, of the same length. */
  get marked(): string {
    this.#marked ??= this.#withMarks()
    return this.#marked
  }

  #withMarks(): string {
    let text = this.bytes
    for (const { at, mark } of this.#marks ?? []) text = replaceAt(text, at, mark)
    return text
  }

  /** What is written: with its marks, and with checksums that fit. The pieces before it must be decided. */
  get text(): string {
    const text = this.marked
    if (this.#checksums === undefined) return text
    const parts: string[] = []
    let done = 0
    // They were found in their order: a piece of many frames is put together once.
    for (const { at, from, checksum } of this.#checksums) {
      const bytes = checksum.bytes.slice(from, from + text.length - at)
      parts.push(text.slice(done, at), bytes)
      done = at + bytes.length
    }
    return parts.join('') + text.slice(done)
  }
}

function replaceAt(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + by.length)
}
