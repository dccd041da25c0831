import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const MANIFEST = new URL('../package.json', import.meta.url)

test('the core asks for two packages, and for no version of an SDK that a program may have', async () => {
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as Readonly<Record<string, object>>
  const { dependencies = {}, peerDependencies = {} } = manifest
  expect(Object.keys(dependencies)).toEqual(['@noble/hashes', 'eventsource-parser'])
  // An optional peer counts too: beside another version of it npm refuses to install the core.
  expect(peerDependencies).toEqual({})
})
