import { readTape, verifyTape } from '@hydra/tape'
import { expect } from 'vitest'
import { chaos } from '../src/chaos/chaos.ts'
import { describeChaos } from '../src/chaos/describe-chaos.ts'
import { namedCases } from '../src/chaos/named-cases.ts'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'

/** So many places of each answer are broken. */
const SAMPLE = 120

/** Holds that a tape is whole, is replayed as it was in memory and through a server, and that nothing breaks it. */
export async function expectWorksOnTape(folder: string): Promise<void> {
  expect(verifyTape(readTape(folder))).toEqual([])
  const written = await regress([folder], { update: true })
  expect(written.ok, describeResult(written)).toBe(true)
  const words = describeResult(written)
  expect(words).not.toContain('when it was recorded')
  expect(words).not.toContain('left out')
  const again = await regress([folder], { through: ['core', 'hono'] })
  expect(again.ok, describeResult(again)).toBe(true)
  const options = { seed: 7, cases: namedCases('all'), runs: SAMPLE, sockets: 4, limit: SAMPLE }
  const broken = await chaos(readTape(folder), options)
  expect(broken.ok, describeChaos(broken, { seed: 7 })).toBe(true)
  expect(broken.leftOut).toEqual([])
}
