import { expect, test } from 'vitest'
import { eventually, settled, within } from '../eventually.ts'
import { collectEvents, readEvents, textOf } from '../http/server-event.ts'
import { DONE, finishChunk, textChunk } from '../upstream/chunks.ts'
import { body, event, head, type Step } from '../upstream/step.ts'
import { answer, type Turn } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askRaw, askStream } from './client.ts'
import { stage } from './scene.ts'

/** Streams arrive as they are made. */
export function streamTests(bind: Bind): void {
  test('the client sees each piece before the upstream makes the next', async () => {
    const seen: string[] = []
    async function* turn(): AsyncGenerator<Step> {
      yield head()
      for (const piece of ['one', 'two', 'three']) {
        yield event(textChunk(piece))
        // oxlint-disable-next-line no-await-in-loop -- the point of the test
        await eventually(() => seen.includes(piece), `'${piece}' at the client`)
      }
      yield event(finishChunk())
      yield event(DONE)
    }
    const { url } = await stage(bind, turn)
    for await (const { data } of readEvents(await askStream(url))) seen.push(data.delta?.text ?? data.type)
    expect(seen).toEqual([
      'message_start',
      'content_block_start',
      'one',
      'two',
      'three',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })

  test('events that are cut at every byte arrive whole', async () => {
    const text = 'Grüße 🚀'
    const bytes = Buffer.from([textChunk(text), finishChunk(), DONE].map(eventText).join(''))
    const { url } = await stage(bind, function* turn() {
      yield head()
      for (const byte of bytes) yield body(Uint8Array.of(byte))
    })
    expect(textOf(await collectEvents(await askStream(url)))).toBe(text)
  })
}

/** What streams carry arrives unmixed and in order. */
export function contentTests(bind: Bind): void {
  test('many streams at once do not mix', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `stream ${index} `)
    const { url } = await stage(bind, (request) => {
      const content = request.body.messages[0]?.content as string
      return answer({ text: content.repeat(20) })(request)
    })
    const texts = names.map(async (content) =>
      textOf(await collectEvents(await askStream(url, { messages: [{ role: 'user', content }] }))),
    )
    expect(await Promise.all(texts)).toEqual(names.map((name) => name.repeat(20)))
  })

  test('reasoning, text and calls become blocks, one after the other', async () => {
    const calls = [
      { name: 'read', arguments: { path: 'a' } },
      { name: 'read', arguments: { path: 'b' } },
    ]
    const { url } = await stage(bind, answer({ reasoning: 'Let me see', text: 'Reading', calls }))
    const tools = [
      { name: 'read', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
    ]
    const events = await collectEvents(await askStream(url, { tools }))
    const order = events.map(({ event: name }) => name).filter((name) => name !== 'content_block_delta')
    const block = ['content_block_start', 'content_block_stop']
    expect(order).toEqual([
      'message_start',
      ...block,
      ...block,
      ...block,
      ...block,
      'message_delta',
      'message_stop',
    ])
  })
}

function eventText(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** Silence and slowness, on both sides. */
export function paceTests(bind: Bind): void {
  test('a silent upstream is bridged with pings, between events only', async () => {
    let pings = 0
    async function* turn(): AsyncGenerator<Step> {
      yield head()
      yield event(textChunk('before'))
      yield body('data: {"choices":[{"index":0,')
      await eventually(() => pings >= 2, 'two pings')
      yield body('"delta":{"content":" and after"}}]}\n\n')
      yield event(finishChunk())
      yield event(DONE)
    }
    const { url } = await stage(bind, turn, { gateway: { timeouts: { keepAlive: 20 } } })
    const events = []
    for await (const next of readEvents(await askStream(url))) {
      if (next.event === 'ping') pings += 1
      events.push(next)
    }
    expect(textOf(events)).toBe('before and after')
    expect(events.at(-1)?.event).toBe('message_stop')
  })

  test('a slow reader holds the upstream back, and gets everything in the end', async () => {
    const piece = 'x'.repeat(64 * 1024)
    const count = 1000
    const { url, upstream } = await stage(bind, flood(piece, count))
    const connection = await askRaw(url, { stream: true })
    connection.pause()
    connection.keepLast(1000)
    const request = await upstream.request(0)
    const sent = await settled(() => request.sent)
    // What the operating system buffers on the way is not ours to bound, and it is much less than this.
    expect(sent).toBeLessThan((piece.length * count) / 2)
    expect(request.outcome).toBe('answering')
    connection.resume()
    await within(connection.until('event: message_stop'), 'the end of the stream')
    expect(request.outcome).toBe('answered')
    expect(connection.bytes).toBeGreaterThan(piece.length * count)
    connection.leave()
  })
}

function flood(piece: string, count: number): Turn {
  return function* turn() {
    yield head()
    for (let index = 0; index < count; index += 1) yield event(textChunk(piece))
    yield event(finishChunk())
    yield event(DONE)
  }
}
