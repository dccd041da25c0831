import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

test('a folder is made with those above it, for nobody else to read', () => {
  const root = temporaryFolder()
  makeFolder(join(root, 'a', 'b', 'c'))
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700)
})

test('a folder that is there stays as it is, also behind a link', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'open'), { mode: 0o755 })
  symlinkSync(join(root, 'open'), join(root, 'link'))
  makeFolder(join(root, 'link'))
  expect(statSync(join(root, 'open')).mode & 0o777).toBe(0o755)
  makeFolder(join(root, 'link', 'below'))
  expect(statSync(join(root, 'open', 'below')).isDirectory()).toBe(true)
})

test('what cannot be made is refused by the system, and nothing is tried again', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(root, 'nowhere', 'else'), join(root, 'dangling'))
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(root, 'file', 'below'))).toThrow('ENOTDIR')
  expect(() => makeFolder(join(root, 'dangling', 'a', 'b'))).toThrow('EEXIST')
})
