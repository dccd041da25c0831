import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE, type TapeHeader } from '../format/lines.ts'
import { reasonOf, TapeError } from '../format/tape-error.ts'
import { firstLineOf } from './first-line.ts'
import { isOwnTape } from './is-own-tape.ts'
import { makeFolder } from './make-folder.ts'
import type { TapedClient } from './traffic.ts'

const MAX_PART = 32

/** This much of a session's name is enough to know it by. */
const SESSION_START = 8

/** Makes the folder that tapes are recorded in, and tells git to ignore what is recorded there. */
export function makeRecordingsFolder(folder: string): void {
  if (existsSync(folder)) return
  try {
    makeFolder(folder)
    writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 })
  } catch (thrown) {
    throw new TapeError({ file: folder, reason: `cannot be recorded to: ${reasonOf(thrown)}`, cause: thrown })
  }
}

/** A name for the folder of a new tape that no other one has: the time, the client and the beginning of the session. */
export function newTapeFolder(root: string, client: TapedClient, at: number): string {
  const time = new Date(at / 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  const name = [time, ...nameParts(client)].join('-')
  for (let count = 1; ; count += 1) {
    const folder = join(root, count === 1 ? name : `${name}-${count}`)
    if (!existsSync(folder)) return folder
  }
}

/** The folders of the tapes of a session that this user's recorder has begun before, the newest first. */
export function tapesOfSession(root: string, client: TapedClient, session: string): readonly string[] {
  const end = nameParts(client).join('-')
  return readdirSync(root)
    .filter((name) => name.includes(end))
    .map((name) => join(root, name))
    .filter((folder) => isOwnTape(folder) && sessionOf(join(folder, TAPE_FILE)) === session)
    .toSorted()
    .toReversed()
}

function sessionOf(file: string): string | undefined {
  try {
    return (JSON.parse(firstLineOf(file)) as Partial<TapeHeader>).session
  } catch {
    return undefined
  }
}

function nameParts({ name, session }: TapedClient): readonly string[] {
  return [safe(name).slice(0, MAX_PART), safe(session ?? '').slice(0, SESSION_START)].filter(
    (part) => part !== '',
  )
}

/** Letters and digits only: what a client calls itself must not say where files are. */
function safe(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
