import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages'
import { type Content, GoogleGenAI } from '@google/genai'
import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import {
  callerOf,
  createRedaction,
  playTape,
  readTape,
  scanTape,
  type TapedExchange,
  verifyTape,
} from '@hydra/tape'
import OpenAI from 'openai'
import type { ChatCompletionStreamParams } from 'openai/lib/ChatCompletionStream'
import type { ResponseStreamParams } from 'openai/lib/responses/ResponseStream'
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
const SAMPLE = 80

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
    for (const exchange of readTape(folder).exchanges) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the tape
      expect(await askAgain(proxy.url, exchange)).toBe(exchange.end?.outcome)
    }
  })
})

/** Sends a recorded request with the SDK of its dialect, and leaves where the recorded client has left. */
async function askAgain(url: string, exchange: TapedExchange): Promise<string> {
  const { request, end } = exchange
  const { path = '', body = [] } = request ?? {}
  const params = JSON.parse(Buffer.from(body).toString()) as never
  const isLeft = end?.outcome === 'aborted'
  const ask = ASKING.get(callerOf(exchange).dialect)
  if (ask === undefined) return 'no SDK for this dialect'
  try {
    await ask({ url, path, isLeft }, params)
    return 'answered'
  } catch {
    return isLeft ? 'aborted' : 'failed'
  }
}

interface Place {
  readonly url: string
  readonly path: string
  readonly isLeft: boolean
}

type Asking = (place: Place, params: never) => Promise<void>

const ASKING: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  [anthropic.name, askMessages],
  [openaiChat.name, askChat],
  [openaiResponses.name, askResponses],
  [gemini.name, askGemini],
])

async function askMessages({ url, path, isLeft }: Place, params: MessageCreateParams): Promise<void> {
  // Without a time of its own the SDK refuses to ask for a long answer in one body.
  const sdk = new Anthropic({ baseURL: url, apiKey: 'not-needed', maxRetries: 0, timeout: 60_000 })
  const query = path.includes('beta=true') ? { query: { beta: 'true' } } : {}
  if (params.stream !== true) {
    await sdk.messages.create(params, query)
    return
  }
  const stream = sdk.messages.stream(params, query)
  if (isLeft) stream.on('text', () => stream.abort())
  await stream.finalMessage()
}

async function askChat({ url }: Place, params: ChatCompletionStreamParams): Promise<void> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'not-needed', maxRetries: 0 })
  await sdk.chat.completions.stream(params).finalChatCompletion()
}

async function askResponses({ url }: Place, params: ResponseStreamParams): Promise<void> {
  const sdk = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'not-needed', maxRetries: 0 })
  await sdk.responses.stream(params).finalResponse()
}

interface GeminiBody {
  readonly contents: Content[]
  readonly [field: string]: unknown
}

/** The SDK puts the body together itself, from other names: what it knows no name for is its `extraBody`. */
async function askGemini({ url, path }: Place, { contents, ...extraBody }: GeminiBody): Promise<void> {
  const sdk = new GoogleGenAI({ apiKey: 'not-needed', httpOptions: { baseUrl: url, extraBody } })
  const model = /models\/([^/:]+):/.exec(path)?.[1] ?? ''
  for await (const chunk of await sdk.models.generateContentStream({ model, contents })) void chunk
}
