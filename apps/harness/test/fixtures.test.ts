import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { chaos } from '../src/chaos/chaos.ts'
import { describeChaos } from '../src/chaos/describe-chaos.ts'
import { namedCases } from '../src/chaos/named-cases.ts'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'
import { tapeFolders } from '../src/regress/tape-folders.ts'
import { readTape } from '@hydra/tape'

const TAPES = fileURLToPath(new URL('../../../fixtures/tapes', import.meta.url))
const isThere = existsSync(TAPES)
const folders = isThere ? tapeFolders([TAPES], TAPES) : []

test.skipIf(!isThere).for(['core', 'express', 'fastify', 'hono'] as const)(
  'every tape is what it is expected to be through %s',
  async (through) => {
    const result = await regress(folders, { through: [through] })
    expect(result.ok, describeResult(result)).toBe(true)
    expect(result.tapes).toHaveLength(folders.length)
  },
)

/** So many places of each answer, the first and the last ones among them; `hydra-tape chaos` takes them all. */
const SAMPLE = 200

test.skipIf(!isThere).for(folders)('%s bears what is done to it', async (folder) => {
  const options = { seed: 7, cases: namedCases('all'), runs: SAMPLE, sockets: 4, limit: SAMPLE }
  const result = await chaos(readTape(folder), options)
  expect(result.ok, describeChaos(result, 7)).toBe(true)
})
