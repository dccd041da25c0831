import { readdir, readFile } from 'node:fs/promises'
import { profiles } from '@hydra/core'
import type { ExchangeReport } from '@hydra/gateway'
import {
  answer,
  collectEvents,
  DONE,
  event,
  eventually,
  finishChunk,
  hang,
  head,
  play,
  readEvents,
  refuse,
  type Script,
  type ScriptedUpstream,
  settled,
  startUpstream,
  textChunk,
  textOf,
  within,
} from '@hydra/testkit'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { hydra, type HydraApp, type HydraOptions } from '../src/index.ts'

interface Scene {
  readonly llm: HydraApp
  readonly upstream: ScriptedUpstream
  readonly reports: readonly ExchangeReport[]
}

async function stage(script: Script, options: Partial<HydraOptions> = {}): Promise<Scene> {
  const upstream = await startUpstream(script)
  onTestFinished(() => upstream.close())
  const reports: ExchangeReport[] = []
  const llm = hydra({
    upstreams: { scripted: { dialect: 'openai-chat', url: upstream.url, profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'scripted' }],
    retries: { times: 0 },
    onExchange: (report) => void reports.push(report),
    ...options,
  })
  return { llm, upstream, reports }
}

function asking(changes: object = {}): RequestInit {
  const request = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...changes }
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
}

test('the source imports nothing of Node', async () => {
  const folder = new URL('../src/', import.meta.url)
  const files = await readdir(folder)
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')))
  expect(files).toContain('hydra.ts')
  expect(sources.join('\n')).not.toMatch(/from '(?:node:|@hydra\/gateway\/node)|\bBuffer\b|\bprocess\./)
})

test('without a server, requests are answered whole and as streams', async () => {
  const { llm } = await stage(answer({ text: 'Hello' }))
  const app = new Hono().basePath('/api').route('/llm', llm)
  const whole = await app.request('/api/llm/v1/messages?beta=true', asking())
  expect(await whole.json()).toMatchObject({ content: [{ type: 'text', text: 'Hello' }] })
  const streamed = await app.request('/api/llm/v1/messages', asking({ stream: true }))
  expect(textOf(await collectEvents(streamed))).toBe('Hello')
  expect((await app.request('/api/llm', { method: 'HEAD' })).status).toBe(200)
  expect((await app.request('/api/llm/v1/models')).status).toBe(200)
  expect((await app.request('/api/llm/nothing')).status).toBe(404)
})

test('a request that middleware has read as JSON is passed on byte for byte', async () => {
  const routes = [{ name: 'through', upstream: 'scripted', passthrough: true }]
  const { llm, upstream } = await stage(answer({ text: 'Hello' }), { routes })
  const app = new Hono()
  app.use(async (context, next) => {
    await context.req.json()
    await next()
  })
  app.route('/', llm)
  const body =
    '{ "model":"m", "temperature":1.0,"max_tokens":9,"messages":[{"role":"user","content":"\\u00fc ü"}] }'
  expect((await app.request('/v1/chat/completions', { ...asking(), body })).status).toBe(200)
  expect(upstream.seen[0]?.text).toBe(body)
})

test('it can be mounted as a foreign application, or be the application', async () => {
  const { llm } = await stage(answer({ text: 'Hello' }))
  const app = new Hono().mount('/foreign', llm.fetch)
  expect((await app.request('/foreign/v1/messages', asking())).status).toBe(200)
  expect((await llm.request('/v1/messages', asking())).status).toBe(200)
  expect((await llm.request('/health')).status).toBe(200)
})

test('errors have their status', async () => {
  const { llm } = await stage(refuse(429, { message: 'Slow down' }, { 'retry-after': '7' }))
  const response = await llm.request('/v1/messages', asking({ stream: true }))
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } })
})

test('an aborted request lets go of the upstream before the answer', async () => {
  const { llm, upstream, reports } = await stage(play(hang()))
  const stop = new AbortController()
  const response = llm.request('/v1/messages', { ...asking(), signal: stop.signal })
  const call = await upstream.request(0)
  stop.abort()
  await within(call.closed, 'the end of the call')
  // Middleware that waits for an answer gets one, though nobody reads it.
  expect((await within(Promise.resolve(response), 'an answer')).status).toBe(499)
  expect(reports).toMatchObject([{ outcome: 'aborted', status: 0 }])
})

test('a request that is aborted already calls nobody', async () => {
  const { llm, upstream, reports } = await stage(answer({ text: 'Hello' }))
  await llm.request('/v1/messages', { ...asking(), signal: AbortSignal.abort() })
  await eventually(() => reports.length > 0, 'a report')
  expect(reports).toMatchObject([{ outcome: 'aborted' }])
  expect(upstream.seen).toHaveLength(0)
})

test('a stream that is cancelled lets go of the upstream', async () => {
  const { llm, upstream, reports } = await stage(play(head(), event(textChunk('Hello')), hang()))
  const response = await llm.request('/v1/messages', asking({ stream: true }))
  for await (const { data } of readEvents(response)) if (data.delta?.text === 'Hello') break
  await within((await upstream.request(0)).closed, 'the end of the call')
  await eventually(() => reports.length > 0, 'a report')
  expect(reports).toMatchObject([{ outcome: 'aborted', status: 200 }])
})

test('a stream that nobody reads pauses the upstream', async () => {
  const piece = 'x'.repeat(64 * 1024)
  const { llm, upstream } = await stage(function* turn() {
    yield head()
    for (let index = 0; index < 500; index += 1) yield event(textChunk(piece))
    yield event(finishChunk())
    yield event(DONE)
  })
  const response = await llm.request('/v1/messages', asking({ stream: true }))
  const call = await upstream.request(0)
  expect(await settled(() => call.sent)).toBeLessThan(250 * piece.length)
  expect(textOf(await collectEvents(response))).toHaveLength(500 * piece.length)
})

test('close() ends a running stream with an error event', async () => {
  const { llm, upstream } = await stage(play(head(), event(textChunk('Hello')), hang()))
  const response = await llm.request('/v1/messages', asking({ stream: true }))
  await upstream.request(0)
  await llm.close()
  expect((await collectEvents(response)).at(-1)?.data.error?.type).toBe('overloaded_error')
  expect((await llm.request('/v1/messages', asking())).status).toBe(529)
})
