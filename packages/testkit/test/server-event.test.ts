import { expect, test } from 'vitest'
import { collectEvents } from '../src/index.ts'

test('events are read whatever pieces they come in', async () => {
  const text = 'event: a\ndata: {"type":"a"}\n\nevent: b\ndata: {"type":"b"}\n\n'
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect((await collectEvents(new Response(pieces))).map(({ event }) => event)).toEqual(['a', 'b'])
})

test('what is not exactly an event is an error', async () => {
  for (const text of [
    'data: {"type":"a"}\n\n',
    'event: a\ndata: {"type":"b"}\n\n',
    ': comment\n\n',
    'event: a\ndata: {"type":"a"}\n',
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(collectEvents(new Response(text)), text).rejects.toThrow(/event/)
  }
})
