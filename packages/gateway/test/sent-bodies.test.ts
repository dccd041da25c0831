import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { undiciTransport } from '../src/node/undici-transport.ts'
import type { BodyListener, UpstreamAnswer } from '../src/upstream/transport.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n'

/** Collects what nobody holds. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

function bodyOf(answer: UpstreamAnswer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const listener: BodyListener = {
      data: (bytes) => void (text += Buffer.from(bytes).toString()),
      end: () => resolve(text),
      error: reject,
    }
    answer.listen(listener)
  })
}

test.each([1, 1000, 16 * 1024 - 1, 16 * 1024, 100_000, 3_000_000])(
  'a body of %i bytes is sent whole and with its length, and is not kept while the answer goes on',
  async (size) => {
    const upstream = await opened(scriptedUpstream((wire) => wire.write(`${HEAD}abc`)))
    const transport = await opened(Promise.resolve(undiciTransport({ environment: {} })))
    const text = randomBytes(size).toString('hex').slice(0, size)
    const send = async (): Promise<[UpstreamAnswer, WeakRef<Uint8Array>]> => {
      const body = Buffer.from(new TextEncoder().encode(text).buffer)
      const call = { url: `${upstream.url}/x`, headers: {}, body, signal: AbortSignal.timeout(60_000) }
      return [await transport.open(call), new WeakRef(body)]
    }
    const [answer, sent] = await send()
    expect(upstream.requests[0]?.body).toBe(text)
    expect(upstream.requests[0]?.headers).toMatchObject({ 'content-length': String(size) })
    const collect = collector()
    const isGone = (): boolean => {
      collect()
      return sent.deref() === undefined
    }
    if (size >= 16 * 1024) await eventually(isGone, 'nobody holds the body')
    const rest = bodyOf(answer)
    await upstream.wires[0]?.write('def')
    expect(await rest).toBe('abcdef')
  },
)

test('a connection on which a large body was sent is used again', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(`${HEAD}abcdef`)))
  const transport = await opened(Promise.resolve(undiciTransport({ environment: {} })))
  for (let call = 0; call < 5; call += 1) {
    const body = Buffer.alloc(200_000, 'x')
    const request = { url: `${upstream.url}/x`, headers: {}, body, signal: AbortSignal.timeout(60_000) }
    // oxlint-disable-next-line no-await-in-loop -- one call after the other
    expect(await bodyOf(await transport.open(request))).toBe('abcdef')
  }
  // The next call may come before the last connection is known to be free.
  expect(upstream.wires.length).toBeLessThan(3)
  expect(upstream.requests.map(({ body }) => body.length)).toEqual(Array.from({ length: 5 }, () => 200_000))
})

test('an upstream that answers before it has read a large body is heard', async () => {
  const refusal = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 8\r\n\r\ntoo long'
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.pause()
      socket.write(refusal)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const transport = undiciTransport({ environment: {} })
  const { port } = server.address() as AddressInfo
  const body = Buffer.alloc(20_000_000, 'x')
  const call = { url: `http://127.0.0.1:${port}/x`, headers: {}, body, signal: AbortSignal.timeout(60_000) }
  const answer = await transport.open(call)
  expect([answer.status, await bodyOf(answer)]).toEqual([413, 'too long'])
  await transport.close()
  server.close()
})
