import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { isOwnTape } from './is-own-tape.ts'

/** The folder of a tape as a recorder leaves it. */
function ownTape(): string {
  const folder = join(temporaryFolder(), 'tape')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(folder, 'tape.jsonl'), '', { mode: 0o600 })
  return folder
}

/** Puts a link in the place of a file or folder. */
function replaceByLink(path: string): void {
  renameSync(path, `${path}~`)
  symlinkSync(`${path}~`, path)
}

test('what a recorder has made is its own', () => {
  expect(isOwnTape(ownTape())).toBe(true)
})

test.each<[what: string, plant: (folder: string) => void]>([
  ['a link to a folder', replaceByLink],
  ['a link to a tape', (folder) => replaceByLink(join(folder, 'tape.jsonl'))],
  ['a tape that others may read', (folder) => chmodSync(join(folder, 'tape.jsonl'), 0o640)],
  ['a folder that others may write to', (folder) => chmodSync(folder, 0o702)],
  ['a folder without a tape', (folder) => rmSync(join(folder, 'tape.jsonl'))],
  ['a folder in the place of a tape', folderInPlace],
])('%s is not', (_, plant) => {
  const folder = ownTape()
  plant(folder)
  expect(isOwnTape(folder)).toBe(false)
})

function folderInPlace(folder: string): void {
  rmSync(join(folder, 'tape.jsonl'))
  mkdirSync(join(folder, 'tape.jsonl'), { mode: 0o700 })
}

test('a tape of another user is not', { skip: process.getuid?.() !== 0 }, () => {
  const folder = ownTape()
  chownSync(join(folder, 'tape.jsonl'), 65_534, 65_534)
  expect(isOwnTape(folder)).toBe(false)
})
