import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { beginStream, endStream, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { isRefused, rawConnection, type RawClient, rawStream } from './raw-client.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const opened = closing()
let upstream: Upstream
/** The answers that are under way. */
let answers: ServerResponse[] = []

beforeAll(async () => {
  upstream = await opened(
    startUpstream((_seen, response) => {
      beginStream(response)
      writeChunk(response, { content: 'Once upon a time' })
      answers.push(response)
    }),
  )
})

beforeEach(() => {
  answers = []
})

function started(args: readonly string[] = [], env: Record<string, string> = {}): Promise<Hydra> {
  return opened(startHydra(['--target-url', upstream.url, '--model', 'm', ...args], env))
}

async function streaming(hydra: Hydra): Promise<RawClient> {
  const client = await rawStream(hydra.port)
  await eventually(() => client.received().includes('Once upon a time'), 'the beginning')
  return client
}

async function untilRefusing(hydra: Hydra): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- polling
  while (!(await isRefused(hydra.port))) await sleep(10)
}

function finish(response: ServerResponse): void {
  writeChunk(response, { content: ', the end.' })
  endStream(response)
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP'])(
  'after %s new connections are refused and streams finish',
  async (signal) => {
    const hydra = await started()
    const silent = await rawConnection(hydra.port)
    const clients = [await streaming(hydra), await streaming(hydra)]
    hydra.signal(signal)
    await untilRefusing(hydra)
    for (const response of answers) finish(response)
    const { code, stdout } = await hydra.ended
    expect(code).toBe(0)
    expect(stdout).toContain('draining: streams may finish; a second signal ends at once\n')
    expect(stdout.match(/ → openai m \(openai\) {2}200 /g)).toHaveLength(2)
    for (const client of clients) {
      expect(client.received()).toContain(', the end.')
      expect(client.received()).toContain('event: message_stop')
      expect(client.received()).not.toContain('event: error')
      expect(client.received()).toMatch(/0\r\n\r\n$/)
    }
    await Promise.all([...clients, silent].map(({ closed }) => closed))
  },
)

test('streams that take longer than the limit end with an error', async () => {
  const hydra = await started([], { HYDRA_DRAIN_LIMIT: '2000' })
  const [short, long] = [await streaming(hydra), await streaming(hydra)]
  hydra.signal('SIGTERM')
  await untilRefusing(hydra)
  const [first] = answers
  if (first !== undefined) finish(first)
  const { code } = await hydra.ended
  expect(code).toBe(0)
  expect(short.received()).toContain('event: message_stop')
  expect(long.received()).not.toContain('event: message_stop')
  expect(long.received()).toContain('event: error')
  expect(long.received()).toContain(
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded: the server is shutting down"}}',
  )
  await long.closed
})

test('a second signal ends at once', async () => {
  const hydra = await started()
  const client = await streaming(hydra)
  hydra.signal('SIGTERM')
  await eventually(() => hydra.output().includes('draining'), 'the draining')
  hydra.signal('SIGTERM')
  expect((await hydra.ended).code).toBe(143)
  await client.closed
})

test('a kept connection is told to close while draining', async () => {
  const hydra = await started()
  const client = await streaming(hydra)
  const kept = await rawConnection(hydra.port)
  kept.socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n')
  // An answer to somebody who came later shows that these bytes have arrived.
  await fetch(`${hydra.url}/health`)
  hydra.signal('SIGTERM')
  await untilRefusing(hydra)
  kept.socket.write('\r\n')
  await kept.closed
  expect(kept.received()).toMatch(/connection: close/i)
  for (const response of answers) finish(response)
  expect((await hydra.ended).code).toBe(0)
  expect(client.received()).toContain('event: message_stop')
})

test.each(['signal', 'signalAll'] as const)(
  'several processes serve one port, drain together and end with 0: %s',
  async (signal) => {
    const hydra = await started(['--workers', '2'])
    expect(hydra.output()).toContain(`hydra listens on ${hydra.url} with 2 processes\n`)
    const clients = await Promise.all([1, 2, 3, 4].map(() => streaming(hydra)))
    hydra[signal]('SIGINT')
    await untilRefusing(hydra)
    for (const response of answers) finish(response)
    expect((await hydra.ended).code).toBe(0)
    for (const client of clients) expect(client.received()).toContain('event: message_stop')
  },
)

test('a second signal ends several processes as well', async () => {
  const hydra = await started(['--workers', '2'])
  const client = await streaming(hydra)
  hydra.signal('SIGINT')
  await eventually(() => hydra.output().includes('draining'), 'the draining')
  hydra.signal('SIGINT')
  expect((await hydra.ended).code).toBe(130)
  await client.closed
})

test('a terminal that says twice that it closes does not end streams', async () => {
  const hydra = await started()
  const client = await streaming(hydra)
  hydra.signal('SIGHUP')
  await eventually(() => hydra.output().includes('draining'), 'the draining')
  hydra.signal('SIGHUP')
  await untilRefusing(hydra)
  for (const response of answers) finish(response)
  expect((await hydra.ended).code).toBe(0)
  expect(client.received()).toContain('event: message_stop')
})

test.each([[[]], [['--workers', '2']]])('no signal opens a debugger: %j', async (args) => {
  const hydra = await started(args)
  if (args.length > 0) hydra.signalAll('SIGUSR1')
  else hydra.signal('SIGUSR1')
  const client = await streaming(hydra)
  expect(hydra.output()).not.toContain('Debugger')
  client.socket.destroy()
  hydra.signal('SIGTERM')
  for (const response of answers) finish(response)
  const { code, stderr } = await hydra.ended
  expect([code, stderr]).toEqual([0, ''])
})

test('HEAD of the health answers without a body', async () => {
  const hydra = await started()
  const answer = await fetch(`${hydra.url}/health`, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})
