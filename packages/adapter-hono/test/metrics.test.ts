import { profiles } from '@hydra/core'
import { Secret } from '@hydra/gateway'
import { createMetrics } from '@hydra/gateway/metrics'
import { answer, startUpstream } from '@hydra/testkit'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { hydra } from '../src/index.ts'

test('an adapter has metrics below its mount point, for those who bring the key', async () => {
  const upstream = await startUpstream(answer({ text: 'Hello' }))
  onTestFinished(() => upstream.close())
  const metrics = createMetrics()
  const llm = hydra({
    upstreams: { up: { dialect: 'openai-chat', url: upstream.url, profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'up', model: 'm' }],
    guard: { key: new Secret('k') },
    observers: [metrics],
    metrics: () => metrics.text(),
  })
  onTestFinished(() => llm.close())
  const app = new Hono().route('/llm', llm)
  const headers = { 'content-type': 'application/json', 'x-api-key': 'k' }
  const body = JSON.stringify({ model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })
  const answered = await app.request('http://127.0.0.1/llm/v1/messages', { method: 'POST', headers, body })
  expect(answered.status).toBe(200)
  await answered.text()
  expect((await app.request('http://127.0.0.1/llm/metrics')).status).toBe(401)
  const figures = await app.request('http://127.0.0.1/llm/metrics', { headers })
  expect(await figures.text()).toContain(
    'hydra_requests_total{client="anthropic",upstream="up",model="m",outcome="answered"} 1',
  )
})
