import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TapedAnswer } from '../format/tape.ts'
import { rewriteAnswer } from './rewrite-answer.ts'

const WORKSPACE = { recorded: '/home/a/app', current: '/b/longer/path/app' }

function stream(events: readonly object[]): TapedAnswer {
  const chunks = events.map((event, at) => ({
    at,
    bytes: Buffer.from(`event: delta\ndata: ${JSON.stringify(event)}\n\n`),
  }))
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, at: 0, chunks, ended: 'clean' }
}

/** The texts of an answer by their index. */
function textsOf({ chunks }: TapedAnswer): readonly string[] {
  const texts: string[] = []
  for (const { bytes } of chunks) {
    const { index, delta } = JSON.parse(/data: (.*)/.exec(Buffer.from(bytes).toString())?.[1] ?? '') as {
      index: number
      delta: { text: string }
    }
    texts[index] = (texts[index] ?? '') + delta.text
  }
  return texts
}

test('a folder is replaced wherever a stream cuts its name, and in each text for itself', () => {
  const text = 'cat /home/a/app/x /home/a/app2 "/home/a/app"'
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), text.length]
      const parts = places.slice(1).map((end, index) => text.slice(places[index], end))
      const events = parts.flatMap((part) => [
        { index: 0, delta: { text: part } },
        { index: 1, delta: { text: '/home' } },
      ])
      const [first, second] = textsOf(rewriteAnswer(stream(events), WORKSPACE))
      expect(first).toBe('cat /b/longer/path/app/x /home/a/app2 "/b/longer/path/app"')
      expect(second).toBe('/home'.repeat(parts.length))
    }),
  )
})

test('an answer that does not name the folder keeps its bytes and pieces', () => {
  const answer = stream([{ index: 0, delta: { text: '/home/a/application' } }])
  expect(rewriteAnswer(answer, WORKSPACE)).toBe(answer)
})

test('an answer in one body is rewritten too', () => {
  const chunks = ['{"path":"/home', '/a/app/x"}'].map((text, at) => ({ at, bytes: Buffer.from(text) }))
  const answer: TapedAnswer = { status: 200, headers: {}, at: 0, chunks, ended: 'clean' }
  const [only] = rewriteAnswer(answer, WORKSPACE).chunks
  expect(Buffer.from(only?.bytes ?? []).toString()).toBe('{"path":"/b/longer/path/app/x"}')
})
