import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@hydra/cli'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/record-tape.ts'
import { tapeFolders } from './tape-folders.ts'

function tree(...tapes: readonly string[]): string {
  const root = temporaryFolder()
  for (const tape of tapes) {
    mkdirSync(join(root, tape), { recursive: true })
    writeFileSync(join(root, tape, 'tape.jsonl'), '')
  }
  return root
}

test('a folder stands for the tapes below it, in the order of their names', () => {
  const root = tree('b', 'a/deep', 'c')
  expect(tapeFolders(['.'], root)).toEqual(['a/deep', 'b', 'c'].map((name) => join(root, name)))
})

test('a tape may be named by its folder or its file, and counts once', () => {
  const root = tree('a', 'b')
  expect(tapeFolders(['a', join('a', 'tape.jsonl'), root], root)).toEqual([join(root, 'a'), join(root, 'b')])
})

test('without a name the tapes of the repository around are taken', () => {
  const root = tree('fixtures/tapes/one')
  const below = join(root, 'some', 'where')
  mkdirSync(below, { recursive: true })
  expect(tapeFolders([], below)).toEqual([join(root, 'fixtures', 'tapes', 'one')])
})

test.for([
  [['nowhere'], 'there is no such folder'],
  [['empty'], 'there is no tape.jsonl in it or below it'],
  [[], 'no tape was named'],
] as const)('%j is a mistake', ([paths, words]) => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'empty'))
  expect(() => tapeFolders(paths, root)).toThrow(UsageError)
  expect(() => tapeFolders(paths, root)).toThrow(words)
})
