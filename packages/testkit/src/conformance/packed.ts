import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { expectError, messagesRequest } from './client.ts'
import { stage } from './scene.ts'

const HELLO = answer({ text: 'Hello' })
const MEGABYTE = 1024 * 1024

const PACKERS: readonly (readonly [string, (text: string) => Uint8Array])[] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
]

function send(url: string, encoding: string, body: Uint8Array): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
  return fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })
}

/** Bodies that are packed are read, as Codex with a login sends them. */
export function packedRequestTests(bind: Bind): void {
  for (const [encoding, pack] of PACKERS) {
    test(`a body in ${encoding} is read`, async () => {
      const { url, upstream } = await stage(bind, HELLO)
      const content = 'Unpack é me'
      const body = pack(JSON.stringify(messagesRequest({ messages: [{ role: 'user', content }] })))
      expect((await send(`${url}/v1/messages`, encoding, body)).status).toBe(200)
      expect(upstream.seen[0]?.body.messages).toEqual([{ role: 'user', content }])
    })

    test(`a small body in ${encoding} that grows beyond the limit is refused`, async () => {
      const { url, upstream } = await stage(bind, HELLO, { gateway: { limits: { body: MEGABYTE } } })
      const body = pack(JSON.stringify(messagesRequest({ padding: 'x'.repeat(2 * MEGABYTE) })))
      expect(body.length).toBeLessThan(MEGABYTE / 100)
      await expectError(await send(`${url}/v1/messages`, encoding, body), 413, 'request_too_large')
      expect(upstream.seen).toHaveLength(0)
    })

    test(`a body in ${encoding} that is broken is refused`, async () => {
      const { url } = await stage(bind, HELLO)
      const whole = pack(JSON.stringify(messagesRequest()))
      const refused = await send(`${url}/v1/messages`, encoding, whole.subarray(0, whole.length - 9))
      const { error } = await expectError(refused, 400, 'invalid_request_error')
      expect(error.message).toContain(`content-encoding: expected a body in ${encoding}`)
    })
  }

  test('an encoding that nobody knows is refused, each client in its own form', async () => {
    const { url } = await stage(bind, HELLO)
    const body = gzipSync(JSON.stringify(messagesRequest()))
    const { error } = await expectError(
      await send(`${url}/v1/messages`, 'lzma', body),
      415,
      'invalid_request_error',
    )
    expect(error.message).toContain('content-encoding: expected one of gzip,')
    const openai = await send(`${url}/v1/responses`, 'gzip, br', body)
    expect(openai.status).toBe(415)
    expect(await openai.json()).toMatchObject({ error: { type: 'invalid_request_error', code: null } })
  })
}
