import { lstatSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { TAPE_FILE } from '../format/lines.ts'

/** What a recorder never grants to anybody but its own user. */
const OTHERS = 0o077

/**
 * Whether a folder holds a tape that this user's recorder has made: neither it nor the tape is a link, and nobody else
 * owns or may open them. In a folder that others can write to, a tape may have been planted to be written into.
 */
export function isOwnTape(folder: string): boolean {
  const outer = statOf(folder)
  if (outer?.isDirectory() !== true || !isPrivate(outer)) return false
  const inner = statOf(join(folder, TAPE_FILE))
  return inner?.isFile() === true && isPrivate(inner)
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function isPrivate({ uid, mode }: Stats): boolean {
  const user = process.getuid?.()
  // Windows has neither owners nor modes in this form.
  return user === undefined || (uid === user && (mode & OTHERS) === 0)
}
