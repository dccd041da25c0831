import { profiles } from '@hydra/core'
import { answer, collectEvents, eventually, startUpstream, textOf } from '@hydra/testkit'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { hydra } from '../src/index.ts'

async function serverWith(setUp: (app: FastifyInstance) => void): Promise<string> {
  const upstream = await startUpstream(answer({ text: 'Hello' }))
  onTestFinished(() => upstream.close())
  const app = Fastify()
  setUp(app)
  await app.register(hydra, {
    prefix: '/llm',
    upstreams: { scripted: { dialect: 'openai-chat', url: upstream.url, profile: profiles.generic } },
    routes: [{ name: 'all', upstream: 'scripted' }],
  })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return `${origin}/llm`
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: 'm',
      max_tokens: 9,
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  })
}

test('headers that hooks set go out with a stream', async () => {
  const url = await serverWith((app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'x-ratelimit-remaining': '9', vary: ['origin', 'accept'] })
    })
  })
  const response = await ask(url)
  expect(response.headers.get('x-ratelimit-remaining')).toBe('9')
  expect(response.headers.get('vary')).toBe('origin, accept')
  expect(textOf(await collectEvents(response))).toBe('Hello')
})

test("the user's hooks may refuse, in the user's own form", async () => {
  const url = await serverWith((app) => {
    app.addHook('preHandler', async (request) => {
      if (request.headers['x-token'] !== 'good')
        throw Object.assign(new Error('no token'), { statusCode: 401 })
    })
    app.setErrorHandler((error: Error, _request, reply) => {
      void reply.code(401).send({ mine: error.message })
    })
  })
  const refused = await ask(url)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toEqual({ mine: 'no token' })
  expect(textOf(await collectEvents(await ask(url, { 'x-token': 'good' })))).toBe('Hello')
})

test("Fastify's own hook hears of the end of an answer", async () => {
  const statuses: number[] = []
  const url = await serverWith((app) => {
    app.addHook('onResponse', async (_request, reply) => void statuses.push(reply.statusCode))
  })
  await collectEvents(await ask(url))
  await fetch(`${url}/nothing`)
  await eventually(() => statuses.length === 2, 'two answers')
  expect(statuses).toEqual([200, 404])
})
