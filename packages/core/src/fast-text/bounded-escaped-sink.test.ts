import { expect, test } from 'vitest'
import { Collector } from '../stream/collect.ts'
import { boundedSink } from './bounded-escaped-sink.ts'
import { type EscapedTextSink, takesEscapedText } from './escaped-text-sink.ts'
import { TextRun } from './text-run.ts'

test('text that comes still escaped counts where the sink takes it', () => {
  const heard: string[] = []
  const keeping: EscapedTextSink = Object.assign(new Collector(), {
    escapedRun: (deltas: TextRun) => void heard.push(`${deltas.count}`),
  })
  const sink = boundedSink(keeping, 1000)
  if (!takesEscapedText(sink)) throw new Error('expected a sink for escaped text')
  sink.escapedRun(runOf(900))
  expect(() => sink.escapedRun(runOf(900))).toThrow('at most 1000 characters')
  expect(heard).toEqual(['1'])
})

function runOf(length: number): TextRun {
  const run = new TextRun()
  run.reset(new TextEncoder().encode(`${'x'.repeat(length)}"`))
  run.add(0, run.endOfText(0))
  return run
}

test('a sink that does not take escaped text is bounded and still does not', () => {
  expect(takesEscapedText(boundedSink(new Collector(), 1))).toBe(false)
})
