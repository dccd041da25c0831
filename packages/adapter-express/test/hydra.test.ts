import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { profiles } from '@hydra/core'
import {
  answer,
  closeServer,
  eventually,
  RawConnection,
  type ScriptedUpstream,
  startUpstream,
  within,
} from '@hydra/testkit'
import express, { type RequestHandler } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { hydra, type HydraMiddleware } from '../src/index.ts'

async function upstreamOf(): Promise<ScriptedUpstream> {
  const upstream = await startUpstream(answer({ text: 'Hello' }))
  onTestFinished(() => upstream.close())
  return upstream
}

function hydraOn(upstream: ScriptedUpstream): HydraMiddleware {
  return hydra({
    upstreams: { scripted: { dialect: 'openai-chat', url: upstream.url, profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'scripted' }],
  })
}

type Mount = (app: express.Express, llm: HydraMiddleware) => void

async function serverWith(mount: Mount, upstream?: ScriptedUpstream): Promise<string> {
  const llm = hydraOn(upstream ?? (await upstreamOf()))
  const app = express()
  mount(app, llm)
  const server = app.listen(0, '127.0.0.1')
  server.keepAliveTimeout = 0
  onTestFinished(async () => {
    await llm.close()
    await closeServer(server)
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const BODY = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })

const JSON_TYPE = { 'content-type': 'application/json' }

function ask(url: string, packed: RequestInit = {}): Promise<Response> {
  const request = { method: 'POST', headers: JSON_TYPE, body: BODY, ...packed }
  return fetch(`${url}/v1/messages?beta=true`, request)
}

const setHeader: RequestHandler = (_request, response, next) => {
  response.setHeader('x-mine', 'yes')
  next()
}

test('it works in a router within a router, behind middleware that sets headers', async () => {
  const origin = await serverWith((app, llm) => {
    app.use('/outer', setHeader, express.Router().use('/inner', express.Router().use(llm)))
  })
  const response = await ask(`${origin}/outer/inner`)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-mine')).toBe('yes')
})

test('bodies that other parsers have read are used as well', async () => {
  const parsers = [express.raw({ type: '*/*' }), express.text({ type: '*/*' })]
  for (const parser of parsers) {
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    const origin = await serverWith((app, llm) => void app.use(parser, llm))
    // oxlint-disable-next-line no-await-in-loop
    expect((await ask(origin)).status).toBe(200)
  }
})

const keepPacked: RequestHandler = async (request, _response, next) => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  request.body = Buffer.concat(pieces)
  next()
}

test('what a parser has unpacked is not unpacked again, and what it has left packed is', async () => {
  const type = '*/*'
  const packed = {
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(BODY)),
  }
  for (const parser of [express.json(), express.raw({ type }), express.text({ type }), keepPacked]) {
    // oxlint-disable-next-line no-await-in-loop -- one server after the other
    const origin = await serverWith((app, llm) => void app.use(parser, llm))
    // oxlint-disable-next-line no-await-in-loop
    expect((await ask(origin, packed)).status).toBe(200)
  }
})

test('close() closes the idle connections to upstreams, and refuses what comes after it', async () => {
  const upstream = await upstreamOf()
  const mounted: HydraMiddleware[] = []
  const origin = await serverWith((app, llm) => {
    mounted.push(llm)
    app.use(llm)
  }, upstream)
  expect((await ask(origin)).status).toBe(200)
  expect(upstream.connections).toBe(1)
  await mounted[0]?.close()
  await eventually(() => upstream.connections === 0, 'no connection to the upstream')
  const connection = await RawConnection.open(origin)
  connection.send({ method: 'GET', url: `${origin}/health` })
  await within(connection.closed(), 'the end of the connection')
  expect(connection.received).toMatch(/^HTTP\/1.1 529 /)
})
