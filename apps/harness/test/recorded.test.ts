import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { profiles } from '@hydra/core'
import { createGateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createRedaction, createTapeRecorder } from '@hydra/tape'
import {
  answer,
  body,
  cut,
  DONE,
  event,
  eventually,
  events,
  finishChunk,
  hang,
  head,
  play,
  RawConnection,
  refuse,
  type Script,
  startUpstream,
  textChunk,
} from '@hydra/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { chaos } from '../src/chaos/chaos.ts'
import { describeChaos } from '../src/chaos/describe-chaos.ts'
import { namedCases } from '../src/chaos/named-cases.ts'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'
import { tapeFolders } from '../src/regress/tape-folders.ts'
import { openTape } from '../src/cli/open-tape.ts'
import { temporaryFolder } from './record-tape.ts'

const FIVE_TOOLS = { ...profiles.generic, maxTools: 5 }

interface Recording {
  readonly url: string
  readonly active: () => number
  /** Ends the recording and gives the folder of its tape. */
  readonly stop: () => Promise<string>
}

/** A gateway that records, in front of a scripted upstream. */
async function record(script: Script, changes: Partial<GatewayOptions> = {}): Promise<Recording> {
  const upstream = await startUpstream(script)
  onTestFinished(() => upstream.close())
  const folder = join(temporaryFolder(), 'tapes')
  const problems: string[] = []
  const recorder = createTapeRecorder({
    folder,
    redaction: createRedaction({}),
    tool: 'hydra/test',
    onProblem: (message) => problems.push(message),
  })
  const gateway = createGateway({
    transport: undiciTransport(),
    upstreams: {
      up: { dialect: 'openai-chat', url: upstream.url, profile: FIVE_TOOLS },
    },
    routes: [{ name: 'all', upstream: 'up', model: 'scripted-model' }],
    retries: { times: 0, pause: 1 },
    traffic: recorder,
    ...changes,
  })
  const server = createServer((request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    active: () => gateway.active,
    async stop() {
      await gateway.close()
      server.closeAllConnections()
      server.close()
      recorder.close()
      expect(problems).toEqual([])
      const [tape = '', ...others] = tapeFolders([folder], folder)
      expect(others).toEqual([])
      return tape
    },
  }
}

const REQUEST = {
  model: 'claude-test',
  max_tokens: 100,
  stream: true,
  messages: [{ role: 'user', content: 'Hi' }],
}
const TOOLS = [{ name: 'Read', input_schema: { type: 'object' } }]

async function ask(url: string, changes: object = {}): Promise<string> {
  const response = await fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...REQUEST, ...changes }),
  })
  return response.text().catch(() => '')
}

/** Whatever was recorded: what it is replayed as is what the client got, everywhere, and nothing breaks it. */
async function expectFaithful(folder: string): Promise<void> {
  const written = await regress([folder], { update: true })
  const words = describeResult(written)
  expect(written.ok, words).toBe(true)
  expect(words).not.toContain('when it was recorded')
  expect(written.updated.length, words).toBeGreaterThan(0)
  const everywhere = await regress([folder], { through: ['core', 'express', 'fastify', 'hono'] })
  expect(everywhere.ok, describeResult(everywhere)).toBe(true)
  expect(describeResult(everywhere)).not.toContain('left out')
  const options = { seed: 7, cases: namedCases('all'), runs: 50, sockets: 2, limit: 100 }
  const broken = await chaos(openTape(folder), options)
  expect(broken.ok, describeChaos(broken, { seed: 7 })).toBe(true)
}

const SCENES: Readonly<
  Record<string, { script: Script; request?: object; options?: Partial<GatewayOptions> }>
> = {
  'words and thoughts': { script: answer({ reasoning: 'Hm. Grüße?', text: 'Grüße 🙂' }) },
  'two calls at once': {
    script: answer({ calls: [1, 2].map((n) => ({ name: 'Read', arguments: { file: `${n}.txt` } })) }),
    request: { tools: TOOLS },
  },
  'one body': { script: answer({ text: 'Hello' }), request: { stream: false } },
  'an error of the upstream': { script: refuse(429, { message: 'slow down' }, { 'retry-after': '3' }) },
  'a second try': {
    script: [refuse(500, { message: 'no' }), answer({ text: 'Second' })],
    options: { retries: { times: 2, pause: 1 } },
  },
  'a cut': { script: play(head(), event(textChunk('Hello')), cut('close')) },
  'an error within the stream': {
    script: events(textChunk('Hello'), { error: { message: 'overloaded' } }),
  },
  'bytes that are no chunks': {
    script: play(head(), event(textChunk('Hello')), body('data: {nonsense\n\n')),
  },
  'a silence': {
    script: play(head(), event(textChunk('Hello')), hang()),
    options: { timeouts: { idle: 300 } },
  },
  'an upstream that stays open after its end': {
    script: play(head(), event(textChunk('Hello')), event(finishChunk()), event(DONE), hang()),
    options: { timeouts: { grace: 300 } },
  },
}

test.for(Object.keys(SCENES))('%s: a recording is replayed as what the client got', async (name) => {
  const { script, request, options } = SCENES[name] ?? { script: answer({ text: 'Hello' }) }
  const recording = await record(script, options)
  await ask(recording.url, request)
  await eventually(() => recording.active() === 0, 'the end of the exchange')
  await expectFaithful(await recording.stop())
})

test('a client that left is replayed as one that got the beginning', async () => {
  const recording = await record(play(head(), event(textChunk('Hello')), hang()))
  const connection = await RawConnection.open(recording.url)
  connection.send({ url: `${recording.url}/v1/messages`, body: JSON.stringify(REQUEST) })
  await connection.until('Hello')
  connection.leave()
  await eventually(() => recording.active() === 0, 'the end of the exchange')
  await expectFaithful(await recording.stop())
})

test('a conversation of several turns is one tape', async () => {
  const recording = await record([
    answer({ text: 'one' }),
    answer({ text: 'two' }),
    answer({ text: 'three' }),
  ])
  const messages: object[] = [...REQUEST.messages]
  for (const word of ['one', 'two', 'three']) {
    // oxlint-disable-next-line no-await-in-loop -- a conversation
    await ask(recording.url, { messages })
    messages.push({ role: 'assistant', content: word }, { role: 'user', content: 'go on' })
  }
  const folder = await recording.stop()
  expect(openTape(folder).exchanges).toHaveLength(3)
  await expectFaithful(folder)
})
