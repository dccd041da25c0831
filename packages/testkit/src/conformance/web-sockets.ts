import { expect, test } from 'vitest'
import { RawConnection } from '../http/raw-connection.ts'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { messagesRequest } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello' })

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

/** WebSocket is refused in the one way after which Codex goes on by HTTP. */
export function webSocketTests(bind: Bind): void {
  for (const path of ['/v1/responses', '/responses', '/v1/messages', '/v1/anything']) {
    test(`an upgrade to WebSocket on ${path} is answered 426, and the connection goes on`, async () => {
      const { url, reports } = await stage(bind, HELLO)
      const connection = await RawConnection.open(url)
      connection.send({ method: 'GET', url: url + path, headers: UPGRADE })
      await connection.until('"type":"invalid_request_error"')
      expect(connection.received).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
      expect(connection.received).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/i)
      connection.send({ url: `${url}/v1/messages`, body: JSON.stringify(messagesRequest()) })
      await connection.until('HTTP/1.1 200 ')
      connection.leave()
      expect(reports[0]).toMatchObject({ outcome: 'failed', status: 426 })
    })
  }

  test('the answer is the same for clients without a key: what they can do about it is the same', async () => {
    const { url } = await stage(bind, HELLO, {
      gateway: { authorize: () => Promise.reject(new Error('no')) },
    })
    const connection = await RawConnection.open(url)
    connection.send({ method: 'GET', url: `${url}/v1/responses`, headers: UPGRADE })
    await connection.until('HTTP/1.1 426 ')
    connection.leave()
  })

  test('an upgrade to something else is no reason to refuse a request', async () => {
    const { url } = await stage(bind, HELLO)
    const connection = await RawConnection.open(url)
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' }
    connection.send({ url: `${url}/v1/messages`, headers, body: JSON.stringify(messagesRequest()) })
    await connection.until('HTTP/1.1 200 ')
    connection.leave()
  })
}
