import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '@hydra/cli'

/** Refuses a folder that tapes cannot be written to, before anything is done that would not be recorded. */
export function checkWritable(folder: string): void {
  const existing = nearestExisting(folder)
  try {
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is no folder`)
    accessSync(existing, constants.W_OK | constants.X_OK)
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new UsageError(`--out: nothing can be recorded in ${folder}: ${reason}`, { cause: thrown })
  }
}

function nearestExisting(path: string): string {
  const parent = dirname(path)
  return parent === path || isThere(path) ? path : nearestExisting(parent)
}

/** Below a file there is nothing, and asking for it is no failure of ours. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
