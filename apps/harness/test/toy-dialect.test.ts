import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { anthropic, openaiChat, profiles, registry } from '@hydra/core'
import type { GatewayOptions } from '@hydra/gateway'
import { readTape } from '@hydra/tape'
import { answer, startUpstream } from '@hydra/testkit'
import { beforeAll, expect, test } from 'vitest'
import { explainFile } from '../../proxy/src/explain/explain.ts'
import { explanationText } from '../../proxy/src/explain/explanation-text.ts'
import { printSession } from '../src/show/print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'
import { listening, startRecordingGateway } from './recording-gateway.ts'
import { toyDialect } from './toy-dialect/index.ts'
import { upstream } from './toy-dialect/upstream.ts'
import { TOY, type ToyPiece, type ToyRequest } from './toy-dialect/wire.ts'
import { expectWorksOnTape } from './works-on-tape.ts'

// The one line that a new dialect needs.
beforeAll(() => registry.register(toyDialect))

const PIECES: readonly ToyPiece[] = [
  { hello: 'engine-1' },
  { words: 'Let me ' },
  { words: 'look: ü.' },
  { deed: { mark: 'deed-1', what: 'Read', how: '{"path":"a.ts"}' } },
  { bye: 'deeds', heard: 12, spoken: 34 },
]

const SAID = [
  { by: 'rules', words: 'Be kind.' },
  { by: 'person', words: 'Hello.' },
  { by: 'engine', words: 'Yes?' },
  { by: 'engine', deed: { mark: 'd0', what: 'Read', how: '{"path":"b.ts"}' } },
  { by: 'deed', of: 'd0', words: 'what b.ts says' },
  { by: 'person', words: 'And now?' },
]

/** An engine that gives everybody the same answer. */
function startEngine(): Promise<string> {
  return listening((request, response) => void sayPieces(request, response))
}

async function sayPieces(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { flow } = (await json(request)) as ToyRequest
  const text = flow
    ? PIECES.map((piece) => `data: ${JSON.stringify(piece)}\n\n`).join('')
    : JSON.stringify({ id: 'engine-1', pieces: PIECES.slice(1) })
  response.writeHead(200, { 'content-type': flow ? 'text/event-stream' : 'application/json' }).end(text)
}

/** Asks twice, once for a stream, and gives the answers and the tape. */
async function record(
  path: string,
  bodies: readonly object[],
  options: GatewayOptions,
): Promise<{ readonly answers: readonly string[]; readonly folder: string }> {
  const gateway = await startRecordingGateway(options)
  const answers: string[] = []
  for (const body of bodies) {
    const headers = { 'content-type': 'application/json' }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    // oxlint-disable-next-line no-await-in-loop
    answers.push(await response.text())
    expect(response.status, answers.at(-1)).toBe(200)
  }
  const [folder = ''] = await gateway.stop()
  return { answers, folder }
}

const TALK = '/v7/toys/claude-toy/talk'
const TALKS = [{ said: SAID, flow: true }, { said: SAID }]

test('a client and an engine of a dialect that was only registered are recorded, replayed, broken, shown and explained', async () => {
  const engine = { dialect: TOY, url: await startEngine(), profile: upstream.defaultProfile }
  const { answers, folder } = await record(TALK, TALKS, {
    upstreams: { engine },
    routes: [{ name: 'all', upstream: 'engine', model: 'big' }],
  })
  for (const text of answers) expect(text).toContain('"bye":"deeds"')
  const [first] = readTape(folder).exchanges
  expect(first?.request?.dialect).toBe(TOY)
  expect(first?.calls[0]?.via?.dialect).toBe(TOY)
  await expectWorksOnTape(folder)

  const shown = printSession(summarizeSession(readTape(folder)))
  for (const words of ['And now?', 'what b.ts says', 'Let me look: ü.', '{"path":"a.ts"}', 'Read']) {
    expect(shown).toContain(words)
  }
  expect(shown).not.toContain('TROUBLE')

  const explanation = await explainFile({ file: folder, json: false })
  expect(explanation.dialect).toBe(TOY)
  const blocks = [...explanation.system, ...explanation.input.flatMap((message) => message.blocks)]
  expect(blocks.map(({ fate }) => fate)).toEqual(blocks.map(() => 'arrived'))
  expect(explanation.output.find(({ results }) => results > 0)?.answers).toEqual(['d0'])
  expect(explanationText(explanation)).toContain('And now?')
}, 60_000)

test('a client of the dialect is served by an upstream of another one', async () => {
  const chat = await startUpstream(answer({ text: 'Hello there.' }))
  const up = { dialect: openaiChat.name, url: chat.url, profile: profiles.generic }
  const options = { upstreams: { up }, routes: [{ name: 'all', upstream: 'up', model: 'm' }] }
  const { answers, folder } = await record(TALK, TALKS, options)
  for (const text of answers) expect(text).toContain('"bye":"said"')
  await expectWorksOnTape(folder)
  expect(printSession(summarizeSession(readTape(folder)))).toContain('Hello there.')
}, 60_000)

test('an engine of the dialect serves clients of another one', async () => {
  const engine = { dialect: TOY, url: await startEngine(), profile: upstream.defaultProfile }
  const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
  const path = anthropic.client.endpoints[0]?.path ?? ''
  const { answers, folder } = await record(path, [{ ...body, stream: true }, body], {
    upstreams: { engine },
    routes: [{ name: 'all', upstream: 'engine', model: 'big' }],
  })
  for (const text of answers) expect(text).toContain('"stop_reason":"tool_use"')
  await expectWorksOnTape(folder)
}, 60_000)

test('a fault in a request is told in the dialect, and what breaks off is no end', async () => {
  const cut = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify({ words: 'Let me ' })}\n\n`, () => response.destroy())
  })
  const engine = { dialect: TOY, url: cut, profile: upstream.defaultProfile }
  const routes = [{ name: 'all', upstream: 'engine' }]
  const gateway = await startRecordingGateway({ upstreams: { engine }, routes, retries: { times: 0 } })
  const ask = (body: object): Promise<Response> =>
    fetch(gateway.url + TALK, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const refused = await ask({})
  expect([refused.status, await refused.json()]).toEqual([400, { oops: 'said: expected a list' }])
  const broken = await ask({ said: SAID, flow: true })
  const text = await broken.text().catch(String)
  expect(text).not.toContain('"bye"')
  const [folder = ''] = await gateway.stop()
  const shown = printSession(summarizeSession(readTape(folder)))
  expect(shown).toContain('said: expected a list')
}, 60_000)
