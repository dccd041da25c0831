import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the process that writes a tape. */
const LOCK_FILE = 'writer.pid'

/** The locks of this process: after a restart in a container the number of the process may be the same. */
const own = new Set<string>()

/** Makes this process the only writer of a tape; false if another one, or another part of this one, is. */
export function lockTape(folder: string): boolean {
  const file = join(folder, LOCK_FILE)
  if (own.has(file)) return false
  if (!create(file)) {
    if (isWritten(file)) return false
    rmSync(file, { force: true })
    if (!create(file)) return false
  }
  own.add(file)
  return true
}

/** Lets others write the tape. */
export function unlockTape(folder: string): void {
  const file = join(folder, LOCK_FILE)
  own.delete(file)
  try {
    rmSync(file, { force: true })
  } catch {
    // A lock that stays behind names a process that will be gone.
  }
}

function create(file: string): boolean {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw thrown
  }
}

/** Whether the process still runs that a lock names. */
function isWritten(file: string): boolean {
  try {
    const writer = Number.parseInt(readFileSync(file, 'utf8'), 10)
    if (!(writer > 0) || writer === process.pid) return false
    process.kill(writer, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}
