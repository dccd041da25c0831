import { Buffer } from 'node:buffer'
import type { TapedBytes, TapedPiece } from '../format/lines.ts'
import { bufferOf, tapeBytes } from '../format/taped-bytes.ts'
import { BlobStore } from './blob-store.ts'
import { cutBody, SMALLEST_BLOB } from './cut-body.ts'

/** What is done with a body on its way to a tape. */
export interface BodyOptions {
  /** Replaces the secrets of a piece, keeping its length; the same piece always becomes the same. */
  readonly redact?: (piece: Uint8Array) => Uint8Array
  /** Told the bytes as they are on the tape, piece by piece. */
  readonly onBytes?: (bytes: Uint8Array) => void
}

/** A piece as it came and as it is on the tape. */
interface Kept {
  readonly raw: Buffer
  readonly bytes: Uint8Array
  readonly taped: TapedPiece
}

/** So many bytes of pieces are remembered. */
const MOST_REMEMBERED = 16 * 1024 * 1024

/** Pieces of one length; more than these are strangers that happen to be as long. */
const MOST_OF_A_LENGTH = 8

/**
 * Turns bodies into what lines hold, with large pieces in files of their own. An agent sends its history again with
 * every turn: a piece that was seen before is neither searched nor hashed again. Throws if a file cannot be written.
 */
export class BodyWriter {
  readonly #blobs: BlobStore
  readonly #kept = new Map<number, Kept[]>()
  #remembered = 0

  constructor(tapeFolder: string) {
    this.#blobs = new BlobStore(tapeFolder)
  }

  write(body: string | Uint8Array, options: BodyOptions): TapedBytes {
    const raw = bufferOf(body)
    if (raw.length < SMALLEST_BLOB) {
      const bytes = redacted(raw, options)
      options.onBytes?.(bytes)
      return tapeBytes(bufferOf(bytes))
    }
    return cutBody(raw).map((piece) => {
      const { bytes, taped } = this.#piece(piece, options)
      options.onBytes?.(bytes)
      return taped
    })
  }

  #piece(raw: Buffer, options: BodyOptions): Pick<Kept, 'bytes' | 'taped'> {
    const alike = this.#kept.get(raw.length)
    const known = alike?.find((kept) => kept.raw.equals(raw))
    if (known !== undefined) return known
    const bytes = redacted(raw, options)
    const taped = this.#tape(bufferOf(bytes))
    if (raw.length >= SMALLEST_BLOB) this.#remember({ raw, bytes, taped })
    return { bytes, taped }
  }

  #tape(piece: Buffer): TapedPiece {
    return piece.length < SMALLEST_BLOB ? tapeBytes(piece) : { blob: this.#blobs.keep(piece) }
  }

  /** A copy: the piece is a view of a whole body, which would stay in memory. */
  #remember({ raw, bytes, taped }: Kept): void {
    this.#remembered += raw.length
    if (this.#remembered > MOST_REMEMBERED) {
      this.#kept.clear()
      this.#remembered = raw.length
    }
    const copy = Buffer.from(raw)
    const alike = this.#kept.get(raw.length) ?? []
    if (alike.length >= MOST_OF_A_LENGTH) alike.shift()
    alike.push({ raw: copy, bytes: bytes === raw ? copy : bytes, taped })
    this.#kept.set(raw.length, alike)
  }
}

function redacted(raw: Buffer, { redact }: BodyOptions): Uint8Array {
  return redact === undefined ? raw : redact(raw)
}
