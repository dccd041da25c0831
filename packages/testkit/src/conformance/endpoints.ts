import { expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { collectEvents, textOf } from '../http/server-event.ts'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { ANTHROPIC, askRaw, askStream, expectError, messagesRequest, post } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello, world: ✓' })

/** Every endpoint answers in Anthropic's form. */
export function endpointTests(bind: Bind): void {
  for (const query of ['', '?beta=true', '?a=b&c=%2Fv1%2Fother?d']) {
    test(`POST /v1/messages${query} answers whole`, async () => {
      const { url, upstream } = await stage(bind, HELLO)
      const response = await post(`${url}/v1/messages${query}`, messagesRequest())
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await response.json()).toMatchObject({
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [{ type: 'text', text: 'Hello, world: ✓' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 200, cache_read_input_tokens: 1000, output_tokens: 34 },
      })
      expect(upstream.seen).toHaveLength(1)
      expect(upstream.seen[0]).toMatchObject({ problems: [], path: '/v1/chat/completions' })
    })
  }

  test('POST /v1/messages answers as a stream', async () => {
    const { url, upstream } = await stage(bind, HELLO)
    const response = await askStream(url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    const events = await collectEvents(response)
    expect(events.at(0)?.event).toBe('message_start')
    expect(events.at(-2)?.data.delta?.stop_reason).toBe('end_turn')
    expect(events.at(-1)?.event).toBe('message_stop')
    expect(textOf(events)).toBe('Hello, world: ✓')
    expect(upstream.seen[0]?.body.model).toBe('scripted-model')
  })

  test('one connection carries one answer after the other', async () => {
    const { url, reports } = await stage(bind, HELLO)
    const connection = await askRaw(url, { stream: true })
    await connection.until('event: message_stop')
    await connection.until('\r\n0\r\n\r\n')
    connection.send({ url: `${url}/v1/messages`, body: JSON.stringify(messagesRequest()) })
    await eventually(() => connection.received.split('HTTP/1.1 200 ').length === 3, 'a second answer')
    await eventually(() => reports.length === 2, 'two reports')
    expect(reports).toMatchObject([
      { outcome: 'answered', stream: true },
      { outcome: 'answered', stream: false },
    ])
    connection.leave()
  })
}

/** The endpoints around messages. */
export function smallEndpointTests(bind: Bind): void {
  test('POST /v1/messages/count_tokens counts without an upstream', async () => {
    const { url, upstream } = await stage(bind, HELLO)
    const { max_tokens: _, ...request } = messagesRequest()
    const response = await post(`${url}/v1/messages/count_tokens?beta=true`, request)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) as number })
    expect(upstream.seen).toHaveLength(0)
  })

  test('GET / and GET /health say that the server is there', async () => {
    const { url } = await stage(bind, HELLO)
    const checks = ['', '/', '/health', '/health?verbose'].map(async (path) => {
      const response = await fetch(url + path)
      expect(response.status, path).toBe(200)
      expect(await response.json()).toMatchObject({ status: 'ok' })
    })
    await Promise.all(checks)
  })

  test('HEAD / and HEAD /api/hello answer without a body', async () => {
    const { url } = await stage(bind, HELLO)
    const checks = ['', '/', '/api/hello'].map(async (path) => {
      const response = await fetch(url + path, { method: 'HEAD' })
      expect(response.status, path).toBe(200)
      expect(await response.text()).toBe('')
    })
    await Promise.all(checks)
  })
}

/** Which models there are, in the form of the client that asks. */
export function modelTests(bind: Bind): void {
  test('GET /v1/models answers in the form that the headers ask for', async () => {
    const { url } = await stage(bind, HELLO)
    const anthropic = await fetch(`${url}/v1/models?limit=1000`, { headers: ANTHROPIC })
    expect(await anthropic.json()).toMatchObject({
      data: [
        { type: 'model', id: 'claude-test', display_name: 'claude-test' },
        { type: 'model', id: 'claude-other' },
      ],
      has_more: false,
      first_id: 'claude-test',
      last_id: 'claude-other',
    })
    const openai = await fetch(`${url}/v1/models`, { headers: { authorization: 'Bearer any' } })
    expect(await openai.json()).toMatchObject({
      object: 'list',
      data: [{ id: 'claude-test', object: 'model' }, { id: 'claude-other' }],
    })
  })

  test('GET /v1/models/{model} shows one of them in the same forms, and refuses others', async () => {
    const { url } = await stage(bind, HELLO)
    const bearer = { authorization: 'Bearer any' }
    const anthropic = await fetch(`${url}/v1/models/claude-other`, { headers: ANTHROPIC })
    expect(await anthropic.json()).toMatchObject({ type: 'model', id: 'claude-other' })
    const openai = await fetch(`${url}/v1/models/claude-other`, { headers: bearer })
    expect(await openai.json()).toMatchObject({ object: 'model', id: 'claude-other' })
    const unknown = await fetch(`${url}/v1/models/unknown`, { headers: ANTHROPIC })
    await expectError(unknown, 404, 'not_found_error')
    const refused = await fetch(`${url}/v1/models/unknown`, { headers: bearer })
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })

  test('GET /v1/models and /v1beta/models answer clients of Gemini in their form', async () => {
    const { url } = await stage(bind, HELLO)
    const headers = { 'x-goog-api-key': 'any' }
    const lists = ['/v1/models', '/v1beta/models', '/v1beta/models?pageSize=50'].map(async (path) => {
      const { models } = (await (await fetch(url + path, { headers })).json()) as { models: unknown }
      expect(models, path).toMatchObject([{ name: 'models/claude-test' }, { name: 'models/claude-other' }])
    })
    await Promise.all(lists)
    const one = await fetch(`${url}/v1beta/models/claude-other`, { headers })
    expect(await one.json()).toMatchObject({ name: 'models/claude-other' })
    const refused = await fetch(`${url}/v1beta/models/unknown`, { headers })
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
  })

  test('GET /v1/models tells Codex in its own form that nothing of what it knows changes', async () => {
    const { url } = await stage(bind, HELLO)
    const headers = { authorization: 'Bearer any', originator: 'codex_exec' }
    const answers = ['/v1/models', '/models'].map(async (path) => {
      const response = await fetch(`${url}${path}?client_version=0.169.0`, { headers })
      expect(await response.json(), path).toEqual({ models: [] })
    })
    await Promise.all(answers)
  })
}

/** What clients send beside messages, and what nobody serves. */
export function otherEndpointTests(bind: Bind): void {
  test('POST /api/event_logging/batch is taken and dropped', async () => {
    const { url, upstream } = await stage(bind, HELLO)
    const response = await post(`${url}/api/event_logging/batch`, { events: [{ event_type: 'any' }] })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({})
    expect(upstream.seen).toHaveLength(0)
  })

  for (const [method, path] of [
    ['GET', '/v1/messages'],
    ['GET', '/v1/nothing?query=1'],
    ['POST', '/v1/nothing'],
    ['POST', '/v1/messages/batches'],
    ['PUT', '/v1/messages'],
    ['PATCH', '/'],
    ['DELETE', '/v1/models'],
    ['OPTIONS', '/v1/messages'],
  ] as const) {
    test(`${method} ${path} is not found, in Anthropic's form`, async () => {
      const { url } = await stage(bind, HELLO)
      const response = await fetch(url + path, { method, headers: ANTHROPIC })
      const { error } = await expectError(response, 404, 'not_found_error')
      expect(error.message).toContain(`${method} ${path.split('?', 1)[0]}`)
    })
  }
}
