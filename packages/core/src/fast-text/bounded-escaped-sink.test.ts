import { expect, test } from 'vitest'
import { Collector } from '../stream/collect.ts'
import { boundedSink } from './bounded-escaped-sink.ts'
import { type EscapedTextSink, takesEscapedText } from './escaped-text-sink.ts'
import { TextRun } from './text-run.ts'

test.each(['escapedRun', 'escapedInput'] as const)(
  'what comes as %s counts where the sink takes it',
  (way) => {
    const heard: string[] = []
    const keeping: EscapedTextSink = Object.assign(new Collector(), {
      escapedRun: (deltas: TextRun) => void heard.push(`text ${deltas.count}`),
      escapedInput: (pieces: TextRun) => void heard.push(`input ${pieces.count}`),
    })
    const sink = boundedSink(keeping, 1000)
    if (!takesEscapedText(sink)) throw new Error('expected a sink for escaped text')
    sink[way](runOf(900))
    expect(() => sink[way](runOf(900))).toThrow('at most 1000 characters')
    expect(heard).toEqual([way === 'escapedRun' ? 'text 1' : 'input 1'])
  },
)

function runOf(length: number): TextRun {
  const run = new TextRun()
  run.reset(new TextEncoder().encode(`${'x'.repeat(length)}"`))
  run.endOfText(0)
  run.add()
  return run
}

test('a sink that does not take escaped text is bounded and still does not', () => {
  expect(takesEscapedText(boundedSink(new Collector(), 1))).toBe(false)
})
