import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TapedBytes, TapedPiece } from '../format/lines.ts'
import { reasonOf } from '../format/tape-error.ts'
import { BLOB_FOLDER, blobFile } from '../write/blob-store.ts'

/** No body is larger, so no piece of one is. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** All pieces of a tape together. */
const MAX_TAPE_BYTES = 1024 * 1024 * 1024

/** The same, each piece counted as often as it is named: a name takes a few bytes of a tape, a body all of them. */
const MAX_NAMED_BYTES = 2 * MAX_TAPE_BYTES

/** Reads the bytes that lines refer to, and the pieces that lie in files of their own, each once. */
export class BlobReader {
  readonly #folder: string
  readonly #known = new Map<string, Buffer | string>()
  #size = 0
  #named = 0

  constructor(tapeFolder: string) {
    this.#folder = join(tapeFolder, BLOB_FOLDER)
  }

  /** The pieces of the bytes; what is wrong with any of them is reported once, and the piece is left out. */
  pieces(bytes: TapedBytes, tell: (reason: string) => void): readonly Buffer[] {
    if (!Array.isArray(bytes)) return [inline(bytes as Exclude<TapedPiece, { blob: string }>)]
    const pieces: Buffer[] = []
    const faults = new Set<string>()
    let size = 0
    for (const piece of bytes as readonly TapedPiece[]) {
      const read = typeof piece === 'object' && 'blob' in piece ? this.#blob(piece.blob) : inline(piece)
      if (typeof read === 'string') {
        faults.add(read)
        continue
      }
      size += read.length
      if (size > MAX_BODY_BYTES) {
        faults.add(`the body is larger than ${MAX_BODY_BYTES} bytes; the rest of it is left out`)
        break
      }
      pieces.push(read)
    }
    for (const fault of faults) tell(fault)
    return pieces
  }

  /** A piece, or why it cannot be had. */
  #blob(name: string): Buffer | string {
    const read = this.#known.get(name) ?? this.#read(name)
    this.#known.set(name, read)
    if (typeof read === 'string') return read
    if (this.#named + read.length > MAX_NAMED_BYTES) {
      return `the blobs that lines name are larger than ${MAX_NAMED_BYTES} bytes together; those of this one are left out`
    }
    this.#named += read.length
    return read
  }

  #read(name: string): Buffer | string {
    try {
      const file = blobFile(this.#folder, name)
      // A link could lead out of the tape, also that of a folder on the way.
      if ([this.#folder, dirname(file)].some((folder) => !lstatSync(folder).isDirectory())) {
        return `the blob ${name} is in no folder of the tape`
      }
      const entry = lstatSync(file)
      if (!entry.isFile()) return `the blob ${name} is no file`
      const { size } = entry
      if (size > MAX_BODY_BYTES) return `the blob ${name} is larger than ${MAX_BODY_BYTES} bytes`
      if (this.#size + size > MAX_TAPE_BYTES)
        return `the blobs are larger than ${MAX_TAPE_BYTES} bytes together`
      this.#size += size
      const bytes = readFileSync(file)
      return hash('sha256', bytes, 'hex') === name ? bytes : `the blob ${name} is not what its name promises`
    } catch (thrown) {
      return `the blob ${name} cannot be read: ${reasonOf(thrown)}`
    }
  }
}

function inline(piece: string | { readonly base64: string } | { readonly blob: string }): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8')
  return Buffer.from('base64' in piece ? piece.base64 : '', 'base64')
}
