import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE } from '../format/lines.ts'
import { highestMarkNumber } from '../redact/marks.ts'
import { BLOB_FOLDER } from './blob-store.ts'

/** The highest number of a mark on a tape: new secrets get numbers behind it. */
export function lastMarkNumber(folder: string): number {
  let highest = numberIn(join(folder, TAPE_FILE))
  for (const file of blobsIn(join(folder, BLOB_FOLDER))) highest = Math.max(highest, numberIn(file))
  return highest
}

function numberIn(file: string): number {
  return highestMarkNumber(readFileSync(file, 'latin1'))
}

function blobsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch {
    // A tape without large pieces has no such folder.
    return []
  }
}
