import { Buffer } from 'node:buffer'
import type { TapedBytes, TapedPiece } from '../format/lines.ts'
import { bufferOf, tapeBytes } from '../format/taped-bytes.ts'
import { BlobStore } from './blob-store.ts'
import { BodyCutter, type CutPiece, MIN_BLOB } from './body-cutter.ts'
import { type HashedPiece, KnownBeginnings } from './known-beginnings.ts'
import type { LegHash } from './leg-hash.ts'

/** What is done with a body on its way to a tape. */
export interface BodyOptions {
  /** Replaces the secrets of a piece, keeping its length; the same piece always becomes the same. */
  readonly redact?: (piece: Uint8Array) => Uint8Array
  /** Goes on with the bytes as they are on the tape. */
  readonly hash?: LegHash
}

/** A piece as it came and as it is on the tape. */
interface WrittenPiece extends HashedPiece {
  readonly piece: CutPiece
  readonly taped: TapedPiece
  /** Where it is remembered. */
  readonly memory: Memory | undefined
  /** What came behind it the last time, if both are remembered. */
  next: WrittenPiece | undefined
}

/** Pieces by their length. */
type Memory = Map<number, WrittenPiece[]>

/** This many bytes of pieces are remembered. */
const MAX_REMEMBERED = 16 * 1024 * 1024

/** Pieces of one length; more than these are strangers that happen to be as long. */
const MAX_OF_A_LENGTH = 8

/**
 * Turns bodies into what lines hold, with large pieces in files of their own. An agent sends its history again with
 * every turn: a piece that was seen before is not searched again. Throws if a file cannot be written.
 */
export class BodyWriter {
  readonly #blobs: BlobStore
  /** Begun anew when it is full; nothing points from the new one to the old. */
  #memory: Memory = new Map()
  #remembered = 0
  #beginnings = new KnownBeginnings()

  constructor(tapeFolder: string) {
    this.#blobs = new BlobStore(tapeFolder)
  }

  write(body: string | Uint8Array, options: BodyOptions): TapedBytes {
    const raw = bufferOf(body)
    if (raw.length < MIN_BLOB) {
      const bytes = redacted(raw, options)
      options.hash?.update(bytes)
      return tapeBytes(bufferOf(bytes))
    }
    const pieces = this.#pieces(new BodyCutter(raw), options)
    if (options.hash !== undefined) this.#beginnings.hash(options.hash, pieces)
    return pieces.map(({ taped }) => taped)
  }

  #pieces(cutter: BodyCutter, options: BodyOptions): readonly WrittenPiece[] {
    const pieces: WrittenPiece[] = []
    let last: WrittenPiece | undefined
    while (!cutter.isDone) {
      const written: WrittenPiece = this.#expected(cutter, last) ?? this.#piece(cutter.next(), options)
      pieces.push(written)
      if (this.#remembers(last) && this.#remembers(written)) last.next = written
      last = written
    }
    return pieces
  }

  /** What came behind a piece the last time, if it comes again: then nothing is searched at all. */
  #expected(cutter: BodyCutter, last: WrittenPiece | undefined): WrittenPiece | undefined {
    const next = last?.next
    return this.#remembers(next) && cutter.takes(next.piece) ? next : undefined
  }

  #remembers(written: WrittenPiece | undefined): written is WrittenPiece {
    return written?.memory === this.#memory
  }

  #piece(piece: CutPiece, options: BodyOptions): WrittenPiece {
    const raw = piece.bytes
    const known = this.#memory.get(raw.length)?.find((written) => written.piece.bytes.equals(raw))
    if (known !== undefined) return known
    const bytes = redacted(raw, options)
    const taped = this.#tape(bufferOf(bytes))
    if (raw.length >= MIN_BLOB) return this.#remember(piece, bytes, taped)
    return { piece, bytes, taped, isKept: false, memory: undefined, next: undefined }
  }

  #tape(piece: Buffer): TapedPiece {
    return piece.length < MIN_BLOB ? tapeBytes(piece) : { blob: this.#blobs.keep(piece) }
  }

  /** A copy: the piece is a view of a whole body, which would stay in memory. */
  #remember({ bytes: raw, cut }: CutPiece, bytes: Uint8Array, taped: TapedPiece): WrittenPiece {
    this.#remembered += raw.length
    if (this.#remembered > MAX_REMEMBERED) {
      this.#memory = new Map()
      this.#beginnings = new KnownBeginnings()
      this.#remembered = raw.length
    }
    const copy = Buffer.from(raw)
    const written: WrittenPiece = {
      piece: { bytes: copy, cut },
      bytes: bytes === raw ? copy : bytes,
      taped,
      isKept: true,
      memory: this.#memory,
      next: undefined,
    }
    const alike = this.#memory.get(raw.length) ?? []
    if (alike.length >= MAX_OF_A_LENGTH) alike.shift()
    alike.push(written)
    this.#memory.set(raw.length, alike)
    return written
  }
}

function redacted(raw: Buffer, { redact }: BodyOptions): Uint8Array {
  return redact === undefined ? raw : redact(raw)
}
