import { expect, test } from 'vitest'
import { RawConnection } from '../http/raw-connection.ts'
import { answer } from '../upstream/turn.ts'
import { eventually, within } from '../eventually.ts'
import type { Bind } from './bind.ts'
import { askWhole, expectError, messagesRequest, post } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello' })
const MEGABYTE = 1024 * 1024

/** Requests that cannot be used are refused in Anthropic's form, before any upstream is called. */
export function badRequestTests(bind: Bind): void {
  test('malformed JSON is refused with a message that says so', async () => {
    const { url, upstream } = await stage(bind, HELLO)
    const headers = { 'content-type': 'application/json' }
    const bodies = ['{"model":', '', '[1,]', '{"model": "x"} trailing']
    const checks = bodies.map(async (body) => {
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
      const { error } = await expectError(response, 400, 'invalid_request_error')
      expect(error.message, body).toMatch(/JSON/i)
    })
    await Promise.all(checks)
    expect(upstream.seen).toHaveLength(0)
  })

  test('a request without messages is refused with the path of the fault', async () => {
    const { url } = await stage(bind, HELLO)
    const response = await post(`${url}/v1/messages`, { model: 'claude-test', max_tokens: 1 })
    const { error } = await expectError(response, 400, 'invalid_request_error')
    expect(error.message).toContain('messages')
  })

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'json', '', undefined]) {
    test(`content-type ${type ?? 'none'} is refused`, async () => {
      const { url, upstream } = await stage(bind, HELLO)
      const body = new TextEncoder().encode(JSON.stringify(messagesRequest()))
      const headers = type === undefined ? {} : { 'content-type': type }
      const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
      const { error } = await expectError(response, 415, 'invalid_request_error')
      expect(error.message).toContain('content-type: expected application/json')
      expect(upstream.seen).toHaveLength(0)
    })
  }

  test('content-type with a charset is accepted', async () => {
    const { url } = await stage(bind, HELLO)
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    expect((await post(`${url}/v1/messages`, messagesRequest(), headers)).status).toBe(200)
  })
}

/** Big bodies, up to the limit and beyond. */
export function bigRequestTests(bind: Bind): void {
  for (const parsesBody of [false, true]) {
    test(`a body of 5 MB is accepted ${parsesBody ? 'with' : 'without'} a body parser`, async () => {
      const { url, upstream } = await stage(bind, HELLO, { parsesBody })
      const content = 'é'.repeat((5 * MEGABYTE) / 2)
      expect((await askWhole(url, { messages: [{ role: 'user', content }] })).status).toBe(200)
      expect(upstream.seen[0]?.body.messages).toEqual([{ role: 'user', content }])
    })
  }

  test('a body that announces more than the limit is refused', async () => {
    const { url, upstream } = await stage(bind, HELLO, { gateway: { limits: { body: MEGABYTE } } })
    const content = 'x'.repeat(2 * MEGABYTE)
    const response = await askWhole(url, { messages: [{ role: 'user', content }] })
    const { error } = await expectError(response, 413, 'request_too_large')
    expect(error.message).toContain(String(MEGABYTE))
    expect(upstream.seen).toHaveLength(0)
  })

  test('a body that grows beyond the limit is refused', async () => {
    const { url, upstream } = await stage(bind, HELLO, { gateway: { limits: { body: MEGABYTE } } })
    const content = 'x'.repeat(2 * MEGABYTE)
    const bytes = new TextEncoder().encode(JSON.stringify(messagesRequest({ content })))
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([bytes]).stream(),
      duplex: 'half',
    })
    await expectError(response, 413, 'request_too_large')
    expect(upstream.seen).toHaveLength(0)
  })

  for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
    test(`a body for ${path} that does not arrive is given up, and its connection closed`, async () => {
      const { url } = await stage(bind, HELLO, { gateway: { timeouts: { firstByte: 100 } } })
      const connection = await RawConnection.open(url)
      connection.send({ url: url + path, body: JSON.stringify(messagesRequest()), sentBody: 20 })
      await connection.until('HTTP/1.1 408 ')
      await within(connection.closed(), 'the end of the connection')
    })
  }

  test('a client that leaves within its request costs nothing', async () => {
    const { url, upstream, reports } = await stage(bind, HELLO)
    const connection = await RawConnection.open(url)
    const body = JSON.stringify(messagesRequest())
    connection.send({ url: `${url}/v1/messages`, body, sentBody: 20 })
    connection.leave()
    await eventually(() => reports.length > 0, 'a report')
    expect(reports[0]?.outcome).toBe('aborted')
    expect((await askWhole(url)).status).toBe(200)
    expect(upstream.seen).toHaveLength(1)
  })
}
