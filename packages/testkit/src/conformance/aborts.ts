import type { Server } from 'node:http'
import { expect, test } from 'vitest'
import { eventually, within } from '../eventually.ts'
import type { RawConnection } from '../http/raw-connection.ts'
import { textChunk } from '../upstream/chunks.ts'
import { body, event, hang, head, JSON_BODY } from '../upstream/step.ts'
import { answer, play, refuse, type Turn } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askRaw, askStream, askWhole } from './client.ts'
import { type Scene, stage } from './scene.ts'

interface Moment {
  readonly name: string
  readonly turn: Turn
  /** What the client has read when it leaves. */
  readonly seen: string
  readonly stream: boolean
  /** The status that the client was sent. */
  readonly status: number
}

const MOMENTS: readonly Moment[] = [
  { name: 'before the headers', turn: play(hang()), seen: '', stream: true, status: 0 },
  { name: 'before the headers of a whole answer', turn: play(hang()), seen: '', stream: false, status: 0 },
  { name: 'before the first byte', turn: play(head(), hang()), seen: '', stream: true, status: 0 },
  {
    name: 'within a whole answer',
    turn: play(head(200, JSON_BODY), body('{"id":'), hang()),
    seen: '',
    stream: false,
    status: 0,
  },
  {
    name: 'in the middle of a stream',
    turn: play(head(), event(textChunk('Hello')), hang()),
    seen: 'Hello',
    stream: true,
    status: 200,
  },
]

/** A client that leaves takes its upstream call with it. */
export function abortTests(bind: Bind): void {
  for (const { name, turn, seen, stream, status } of MOMENTS) {
    for (const how of ['leave', 'reset'] as const) {
      test(`the upstream is let go when its client is gone ${name} (${how})`, async () => {
        const scene = await stage(bind, turn)
        const connection = await askRaw(scene.url, { stream })
        await leaveWhen(connection, scene, { seen, how })
        expect(scene.reports).toMatchObject([{ outcome: 'aborted', status }])
        expect(scene.upstream.seen[0]?.outcome).toBe('abandoned')
      })
    }
  }

  test('nothing is tried again for a client that is gone', async () => {
    const { url, upstream, reports } = await stage(bind, refuse(500, { message: 'busy' }), {
      gateway: { retries: { times: 5, budget: 1e9, pause: 1e7 } },
    })
    const connection = await askRaw(url)
    const request = await upstream.request(0)
    await eventually(() => request.outcome === 'answered', 'the refusal')
    connection.leave()
    await eventually(() => reports.length > 0, 'a report')
    expect(reports[0]?.outcome).toBe('aborted')
    expect(upstream.seen).toHaveLength(1)
  })
}

/** A client may leave before anything was done for it, and others come after it. */
export function earlyAbortTests(bind: Bind): void {
  test('no upstream is called for a client that is gone before it is let in', async () => {
    const arrived = Promise.withResolvers<void>()
    const admitted = Promise.withResolvers<void>()
    const authorize = async (): Promise<true> => {
      arrived.resolve()
      await admitted.promise
      return true
    }
    const { url, upstream, server, reports } = await stage(bind, answer({ text: 'Hello' }), {
      gateway: { authorize },
    })
    const connection = await askRaw(url)
    await arrived.promise
    connection.leave()
    await allGone(server.server)
    admitted.resolve()
    await eventually(() => reports.length > 0, 'a report')
    expect(reports[0]?.outcome).toBe('aborted')
    expect(upstream.seen).toHaveLength(0)
  })

  test('the server goes on after its clients are gone', async () => {
    const { url, upstream } = await stage(bind, [
      play(head(), event(textChunk('Hello')), hang()),
      answer({ text: 'Hello again' }),
    ])
    const response = await askStream(url)
    await response.body?.cancel()
    await within((await upstream.request(0)).closed, 'the end of the call')
    expect((await askWhole(url)).status).toBe(200)
  })
}

/** Waits until a server has heard that all its clients are gone. */
async function allGone(server: Server): Promise<void> {
  let count = 1
  await eventually(() => {
    server.getConnections((_error, connections) => (count = connections))
    return count === 0
  }, 'the end of all connections')
}

interface Leaving {
  readonly seen: string
  readonly how: 'leave' | 'reset'
}

async function leaveWhen(connection: RawConnection, scene: Scene, { seen, how }: Leaving): Promise<void> {
  const request = await scene.upstream.request(0)
  await connection.until(seen)
  connection[how]()
  await within(request.closed, 'the end of the call to the upstream')
  await eventually(() => scene.reports.length > 0, 'a report')
}
