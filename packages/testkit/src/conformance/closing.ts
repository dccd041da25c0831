import { expect, test } from 'vitest'
import { eventually, within } from '../eventually.ts'
import { textChunk } from '../upstream/chunks.ts'
import { event, hang, head } from '../upstream/step.ts'
import { answer, play } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askRaw, askWhole } from './client.ts'
import { stage } from './scene.ts'

/** Closing the server ends everything, with an error. */
export function closingTests(bind: Bind): void {
  test('close() ends running streams with an error event', async () => {
    const { url, upstream, server, reports } = await stage(
      bind,
      play(head(), event(textChunk('Hello')), hang()),
    )
    const connection = await askRaw(url, { stream: true })
    await connection.until('Hello')
    await within(server.close(), 'the server to close')
    await within(connection.closed(), 'the connection to close')
    expect(connection.received).toContain(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"',
    )
    expect(connection.received).not.toContain('message_stop')
    await within((await upstream.request(0)).closed, 'the call to the upstream to end')
    await eventually(() => upstream.connections === 0, 'no connection to the upstream')
    expect(reports).toMatchObject([{ outcome: 'failed', status: 200, error: { kind: 'overloaded_error' } }])
  })

  test('close() answers those that still wait', async () => {
    const { url, upstream, server } = await stage(bind, play(hang()))
    const connection = await askRaw(url)
    await upstream.request(0)
    await within(server.close(), 'the server to close')
    await within(connection.closed(), 'the connection to close')
    expect(connection.received).toMatch(/^HTTP\/1.1 529 /)
    expect(connection.received).toContain('"type":"overloaded_error"')
  })

  test('close() ends a server that was used', async () => {
    const { url, server } = await stage(bind, answer({ text: 'Hello' }))
    expect((await askWhole(url)).status).toBe(200)
    await within(server.close(), 'the server to close')
    await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  })
}
