import { once } from 'node:events'
import { connect } from 'node:net'
import { zstdCompressSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'

const opened = closing()
const KEY = 'key-of-the-proxy'
let hydra: Hydra

beforeAll(async () => {
  hydra = await opened(startHydra([], { HYDRA_KEY: KEY }))
})

test('the built-in provider of Codex is answered 426 when it asks for WebSocket, whatever key it has', async () => {
  const socket = connect(hydra.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece))
  await once(socket, 'connect')
  socket.write(
    'GET /v1/responses HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'openai-beta: responses_websockets=2026-02-06\r\n\r\n',
  )
  await eventually(() => received.includes('{"error"') || undefined, 'the refusal')
  expect(received).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/)
  socket.destroy()
})

test('what Codex with a login sends is unpacked', async () => {
  const body = zstdCompressSync(JSON.stringify({ model: 'any', input: 'Hi', stream: true, store: false }))
  const response = await fetch(`${hydra.url}/v1/responses`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-encoding': 'zstd',
      authorization: `Bearer ${KEY}`,
    },
    body: new Uint8Array(body),
  })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('built-in demo model')
  expect(text).toMatch(/event: response\.completed\n.*\n\n$/)
})
