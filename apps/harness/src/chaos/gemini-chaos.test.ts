import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gemini } from '@hydra/core'
import type { TapedExchange, Via } from '@hydra/tape'
import { expect, test } from 'vitest'
import { exchange, tapeOf } from '../../test/exchanges.ts'
import { chaos } from './chaos.ts'
import { describeChaos } from './describe-chaos.ts'
import { namedCases } from './named-cases.ts'

const FOLDER = new URL('../../../../fixtures/streams/gemini/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((file) => /^[a-z-]+\.(?:sse|json)$/.test(file))

/** How a client of Gemini may ask, by what it is asked for. */
const METHODS = {
  events: 'streamGenerateContent?alt=sse',
  array: 'streamGenerateContent',
  document: 'generateContent',
} as const

type Form = keyof typeof METHODS
type Way = 'translated' | 'relayed' | 'passed on'

const WAYS: Readonly<Record<Way, Partial<Via>>> = {
  translated: { toldModel: 'claude-test' },
  relayed: { relayed: true },
  'passed on': { passthrough: true },
}

const CASES = FILES.flatMap((file) =>
  (Object.keys(METHODS) as Form[]).flatMap((form) =>
    (Object.keys(WAYS) as Way[]).map((way) => ({ file, form, way })),
  ),
).filter(({ file, form, way }) => {
  // Whoever is passed on gets what it asked for.
  const isSame = file.endsWith('.sse') === (form === 'events')
  return readFileSync(new URL(file, FOLDER)).length > 0 && (way === 'translated' || isSame)
})

/** What a client of Gemini asked, and what Gemini said to it. */
function asked(file: string, form: Form, way: Way): TapedExchange {
  const options = new URL(file.replace(/\.\w+$/, '.options.json'), FOLDER)
  const { stopSequences } = (existsSync(options) ? JSON.parse(readFileSync(options, 'utf8')) : {}) as {
    readonly stopSequences?: readonly string[]
  }
  const type = file.endsWith('.sse') ? 'text/event-stream' : 'application/json'
  const answered = exchange({
    pieces: [readFileSync(new URL(file, FOLDER))],
    headers: { 'content-type': type },
  })
  const [call] = answered.calls
  const body = {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true }, ...(stopSequences && { stopSequences }) },
  }
  if (answered.request === undefined || call === undefined) throw new Error('it was asked and answered')
  return {
    ...answered,
    request: {
      ...answered.request,
      dialect: gemini.name,
      path: `/v1beta/models/m:${METHODS[form]}`,
      body: Buffer.from(JSON.stringify(body)),
    },
    calls: [
      { ...call, via: { upstream: 'up', dialect: gemini.name, model: 'm', messageId: 'r1', ...WAYS[way] } },
    ],
  }
}

/** So many places of each answer; all of them are looked at where a tape is broken by hand. */
const SAMPLE = 60

test.for(CASES)("Gemini's $file bears every fault: $way, as $form", async ({ file, form, way }) => {
  // What is translated goes over sockets in the tapes of every client.
  const sockets = way === 'translated' ? 0 : 2
  const options = { seed: 7, cases: namedCases('all'), runs: SAMPLE, sockets, limit: SAMPLE }
  const result = await chaos(tapeOf('tape', asked(file, form, way)), options)
  expect(result.answers).toBe(1)
  expect(result.ok, describeChaos(result, { seed: 7 })).toBe(true)
})
