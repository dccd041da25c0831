import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { expect, test } from 'vitest'
import { directConnector } from '../src/node/direct-connector.ts'
import { closing, expectNothingUnhandled } from './eventually.ts'
import { scriptedUpstream, type Wire } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const BODY = 'what was said'
const ANSWER = `HTTP/1.1 200 OK\r\nx-first: one\r\nx-second: two\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

function directAgent(options = {}): Promise<Dispatcher> {
  const agent = new Agent({ connect: directConnector({ allowH2: false, ...options }) })
  return opened(Promise.resolve(Object.assign(agent, { close: () => agent.destroy() })))
}

/** Writes in two parts that cannot come with one read. */
async function writeCut(wire: Wire, at: number): Promise<void> {
  await wire.write(ANSWER.slice(0, at))
  for (let turn = 0; turn < 3; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the reader runs in these turns
    await setImmediate()
  }
  await wire.write(ANSWER.slice(at))
}

async function ask(dispatcher: Dispatcher, url: string): Promise<{ headers: object; body: string }> {
  const { headers, body } = await request(url, { method: 'POST', body: '{}', dispatcher })
  return { headers, body: await body.text() }
}

test('an answer is whole wherever it is cut, while another connection reads into the same memory', async () => {
  const upstream = await opened(scriptedUpstream((wire, { path }) => writeCut(wire, Number(path.slice(1)))))
  const dispatcher = await directAgent()
  const { origin } = new URL(upstream.url)
  for (let at = 1; at < ANSWER.length; at += 1) {
    const cuts = [at, ANSWER.length - at]
    // oxlint-disable-next-line no-await-in-loop -- two connections at a time
    const answers = await Promise.all(cuts.map((cut) => ask(dispatcher, `${origin}/${cut}`)))
    for (const answer of answers) {
      expect(answer, `cut at ${at}`).toEqual({
        headers: { 'x-first': 'one', 'x-second': 'two', 'content-length': String(BODY.length) },
        body: BODY,
      })
    }
  }
  expect(upstream.wires.length, 'connections are used again').toBeLessThan(10)
})

/** Bytes in which every place looks different. */
function countedBytes(size: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32LE(at, at)
  return bytes
}

const LONG = countedBytes(3_000_000)

/** Reads a body with a pause after each piece. */
async function readSlowly(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body) {
    pieces.push(piece)
    await setImmediate()
  }
  return Buffer.concat(pieces)
}

/** A body in chunks so small that a read brings many of them, as events come. */
function chunked(body: Buffer): Buffer {
  const pieces: (Buffer | string)[] = []
  for (let at = 0; at < body.length; at += 500) {
    const piece = body.subarray(at, at + 500)
    pieces.push(`${piece.length.toString(16)}\r\n`, piece, '\r\n')
  }
  return Buffer.concat([...pieces, '0\r\n\r\n'].map((piece) => Buffer.from(piece)))
}

test.each([
  { head: `content-length: ${LONG.length}`, sent: LONG },
  { head: 'transfer-encoding: chunked', sent: chunked(LONG) },
])('nothing is lost when the reader makes the upstream wait ($head)', async ({ head, sent }) => {
  const upstream = await opened(
    scriptedUpstream((wire) => {
      void wire.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`)
      void wire.write(sent)
    }),
  )
  const { body } = await request(upstream.url, { method: 'POST', dispatcher: await directAgent() })
  expect((await readSlowly(body)).equals(LONG)).toBe(true)
})

test('a body that ends with its connection is whole when the reader makes the upstream wait', async () => {
  const upstream = await opened(
    scriptedUpstream((wire) => {
      void wire.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
      wire.end(LONG)
    }),
  )
  const { body } = await request(upstream.url, { method: 'POST', dispatcher: await directAgent() })
  expect((await readSlowly(body)).equals(LONG)).toBe(true)
})

test('an upstream that speaks before it is asked is not believed', async () => {
  const upstream = await opened(
    scriptedUpstream((wire) => {
      void wire.write(ANSWER + ANSWER)
    }),
  )
  const dispatcher = await directAgent()
  expect((await ask(dispatcher, upstream.url)).body).toBe(BODY)
  expect((await ask(dispatcher, upstream.url)).body).toBe(BODY)
  expect(upstream.requests).toHaveLength(2)
})

test.each([true, false])('an answer over TLS is whole (the reader makes it wait: %s)', async (slow) => {
  // A shared key needs no certificate.
  const shared = { ciphers: 'PSK', maxVersion: 'TLSv1.2' as const }
  const psk = Buffer.from('of the test')
  const server = createServer(
    { ...shared, pskIdentityHint: 'hydra', pskCallback: () => psk },
    (_, answer) => {
      answer.end(LONG)
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dispatcher = await directAgent({
    ...shared,
    pskCallback: () => ({ psk, identity: 'test' }),
    checkServerIdentity: () => undefined,
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (let turn = 0; turn < 2; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the second uses the connection again
    const { body } = await request(url, { method: 'POST', body: '{}', dispatcher })
    // oxlint-disable-next-line no-await-in-loop
    const bytes = slow ? await readSlowly(body) : Buffer.from(await body.arrayBuffer())
    expect(bytes.equals(LONG)).toBe(true)
  }
  server.closeAllConnections()
  server.close()
})
