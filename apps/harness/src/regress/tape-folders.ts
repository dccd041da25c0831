import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from '@hydra/cli'
import { TAPE_FILE } from '@hydra/tape'

/** Deeper than anybody keeps tapes; a link to a folder above must not be followed for ever. */
const MAX_DEPTH = 8

/** The folders of the tapes that were named: each is a tape itself, or holds some. */
export function tapeFolders(paths: readonly string[], workingFolder: string): string[] {
  const roots =
    paths.length > 0 ? paths.map((path) => resolve(workingFolder, path)) : [fixtures(workingFolder)]
  return [...new Set(roots.flatMap(tapesBelow))]
}

function tapesBelow(root: string): string[] {
  if (!existsSync(root)) throw new UsageError(`${root}: there is no such folder`)
  const folder = statSync(root).isDirectory() ? root : dirname(root)
  const found = [...search(folder, 0)]
  if (found.length === 0) throw new UsageError(`${root}: there is no ${TAPE_FILE} in it or below it`)
  return found
}

function* search(folder: string, depth: number): Generator<string> {
  if (existsSync(join(folder, TAPE_FILE))) yield folder
  else if (depth < MAX_DEPTH) {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const { name } of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      yield* search(join(folder, name), depth + 1)
    }
  }
}

/** The tapes of the repository that somebody works in, wherever in it. */
function fixtures(workingFolder: string): string {
  for (let folder = workingFolder; ; folder = dirname(folder)) {
    const tapes = join(folder, 'fixtures', 'tapes')
    if (existsSync(tapes)) return tapes
    if (folder === dirname(folder)) {
      throw new UsageError('no tape was named, and there is no folder fixtures/tapes here or above')
    }
  }
}
