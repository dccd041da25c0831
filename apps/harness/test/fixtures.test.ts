import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'
import { createRedaction, playTape, readTape, scanTape, type TapedExchange, verifyTape } from '@hydra/tape'
import { describe, expect, test } from 'vitest'
import { chaos } from '../src/chaos/chaos.ts'
import { describeChaos } from '../src/chaos/describe-chaos.ts'
import { namedCases } from '../src/chaos/named-cases.ts'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'
import { tapeFolders } from '../src/regress/tape-folders.ts'

const TAPES = fileURLToPath(new URL('../../../fixtures/tapes', import.meta.url))
const folders = tapeFolders([TAPES], TAPES)

test.for(['core', 'express', 'fastify', 'hono'] as const)(
  'every tape is what it is expected to be through %s',
  async (through) => {
    const result = await regress(folders, { through: [through] })
    expect(result.ok, describeResult(result)).toBe(true)
    expect(result.tapes).toHaveLength(folders.length)
    expect(describeResult(result)).not.toContain('left out')
  },
)

/** So much may all tapes take together, in bytes: everybody clones them. */
const LARGEST = 3_000_000

test('the tapes are small enough to be cloned by everybody', () => {
  const files = readdirSync(TAPES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST)
})

/** So many places of each answer, the first and the last ones among them; `hydra-tape chaos` takes them all. */
const SAMPLE = 200

describe.for(folders.map((folder) => [basename(folder), folder] as const))('%s', ([name, folder]) => {
  test('bears what is done to it', async () => {
    const options = { seed: 7, cases: namedCases('all'), runs: SAMPLE, sockets: 4, limit: SAMPLE }
    const result = await chaos(readTape(folder), options)
    expect(result.ok, describeChaos(result, { seed: 7 })).toBe(true)
    expect(result.leftOut).toEqual([])
    expect(result.checked).toMatchObject({ 'socket-cut': 2, 'socket-reset': 2 })
  })

  test('is whole, holds no secret, and says how it was recorded', () => {
    expect(verifyTape(readTape(folder))).toEqual([])
    expect(scanTape(folder, createRedaction())).toEqual([])
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`pnpm tapes ${name}\n`)
  })

  test('is enough for the official SDK: it answers, fails and waits as it did', async () => {
    await using proxy = await playTape(folder, { leg: 'proxy', matchBy: 'request' })
    // Without a time of its own the SDK refuses to ask for a long answer in one body.
    const sdk = new Anthropic({ baseURL: proxy.url, apiKey: 'not-needed', maxRetries: 0, timeout: 60_000 })
    for (const exchange of readTape(folder).exchanges) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the tape
      expect(await askAgain(sdk, exchange)).toBe(exchange.end?.outcome)
    }
  })
})

/** Sends a recorded request with the SDK, and leaves where the recorded client has left. */
async function askAgain(sdk: Anthropic, { request, end }: TapedExchange): Promise<string> {
  const { path = '', body = [] } = request ?? {}
  const params = JSON.parse(Buffer.from(body).toString()) as MessageCreateParams
  const query = path.includes('beta=true') ? { query: { beta: 'true' } } : {}
  const isLeft = end?.outcome === 'aborted'
  try {
    if (params.stream !== true) await sdk.messages.create(params, query)
    else {
      const stream = sdk.messages.stream(params, query)
      if (isLeft) stream.on('text', () => stream.abort())
      await stream.finalMessage()
    }
    return 'answered'
  } catch {
    return isLeft ? 'aborted' : 'failed'
  }
}
