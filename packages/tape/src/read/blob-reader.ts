import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TapedBytes, TapedPiece } from '../format/lines.ts'
import { reasonOf } from '../format/tape-error.ts'
import { BLOB_FOLDER, blobFile } from '../write/blob-store.ts'

/** No body is larger, so no piece of one is. */
const LARGEST_BODY = 64 * 1024 * 1024

/** All pieces of a tape together. */
const LARGEST_TAPE = 1024 * 1024 * 1024

/** Reads the bytes that lines tell of, and the pieces that lie in files of their own, each once. */
export class BlobReader {
  readonly #folder: string
  readonly #known = new Map<string, Buffer | string>()
  #size = 0

  constructor(tapeFolder: string) {
    this.#folder = join(tapeFolder, BLOB_FOLDER)
  }

  /** The pieces of the bytes; what is wrong with any of them is told, and the piece is left out. */
  pieces(bytes: TapedBytes, tell: (reason: string) => void): readonly Buffer[] {
    if (!Array.isArray(bytes)) return [inline(bytes as Exclude<TapedPiece, { blob: string }>)]
    const pieces: Buffer[] = []
    let size = 0
    for (const piece of bytes as readonly TapedPiece[]) {
      const read = typeof piece === 'object' && 'blob' in piece ? this.#blob(piece.blob) : inline(piece)
      if (typeof read === 'string') tell(read)
      else {
        size += read.length
        if (size > LARGEST_BODY) {
          tell(`the body is larger than ${LARGEST_BODY} bytes; the rest of it is left out`)
          return pieces
        }
        pieces.push(read)
      }
    }
    return pieces
  }

  /** A piece, or why it cannot be had. */
  #blob(name: string): Buffer | string {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const read = this.#read(name)
    this.#known.set(name, read)
    return read
  }

  #read(name: string): Buffer | string {
    try {
      const file = blobFile(this.#folder, name)
      const { size, isFile } = about(file)
      if (!isFile) return `the blob ${name} is no file`
      if (size > LARGEST_BODY) return `the blob ${name} is larger than ${LARGEST_BODY} bytes`
      if (this.#size + size > LARGEST_TAPE) return `the blobs are larger than ${LARGEST_TAPE} bytes together`
      this.#size += size
      const bytes = readFileSync(file)
      return hash('sha256', bytes, 'hex') === name ? bytes : `the blob ${name} is not what its name promises`
    } catch (thrown) {
      return `the blob ${name} cannot be read: ${reasonOf(thrown)}`
    }
  }
}

/** A link could lead out of the tape. */
function about(file: string): { readonly size: number; readonly isFile: boolean } {
  const entry = lstatSync(file)
  return { size: entry.size, isFile: entry.isFile() }
}

function inline(piece: string | { readonly base64: string } | { readonly blob: string }): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece, 'utf8')
  return Buffer.from('base64' in piece ? piece.base64 : '', 'base64')
}
