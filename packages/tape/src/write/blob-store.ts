import type { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** The folder of a tape that holds pieces by the hash of their bytes. */
export const BLOB_FOLDER = 'blobs'

/** Keeps pieces of bodies in files of their own, each once. Throws if a file cannot be written. */
export class BlobStore {
  readonly #folder: string
  readonly #known = new Set<string>()

  constructor(tapeFolder: string) {
    this.#folder = join(tapeFolder, BLOB_FOLDER)
  }

  /** Keeps a piece and gives its name. */
  keep(piece: Buffer): string {
    const name = hash('sha256', piece, 'hex')
    if (this.#known.has(name)) return name
    const file = blobFile(this.#folder, name)
    if (!existsSync(file)) this.#write(file, piece)
    this.#known.add(name)
    return name
  }

  /** Under another name first: a crash must not leave half a piece under a name that promises all of it. */
  #write(file: string, piece: Buffer): void {
    makeFolder(dirname(file))
    const unfinished = `${file}.${process.pid}.new`
    try {
      writeFileSync(unfinished, piece, { mode: 0o600 })
      renameSync(unfinished, file)
    } catch (thrown) {
      rmSync(unfinished, { force: true })
      throw thrown
    }
  }
}

/** Where in the folder of blobs a piece lies; the name is a hash and never anything else. */
export function blobFile(blobFolder: string, name: string): string {
  return join(blobFolder, name.slice(0, 2), name)
}
