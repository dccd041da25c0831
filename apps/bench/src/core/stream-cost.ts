import { type Costs, measure, median, medianRatio, type Subject } from '../measure.ts'
import type { Figure, Suite } from '../suite.ts'
import { copyArguments, copyText } from './floor.ts'
import { type AnswerStream, argumentsStream, obfuscatedStream, reads, textStream } from './streams.ts'
import { newTranslator } from './translation.ts'

/** What an event may cost at most when each comes in a read of its own. */
const LIMIT = 1.6

/** The cost of streaming, per event. */
export function streamFigures(progress: Parameters<Suite>[0]): Figure[] {
  progress('streaming text')
  const text = [
    ...figuresOf('stream text', textStream(), copyText),
    ...figuresOf('stream text, obfuscated', obfuscatedStream(), copyText),
  ]
  progress('streaming tool arguments')
  return [...text, ...figuresOf('stream tool arguments', argumentsStream(), copyArguments)]
}

function figuresOf(name: string, stream: AnswerStream, copy: (chunk: string) => number): Figure[] {
  const { floor, single, batched } = measure({
    floor: (times) => {
      for (let time = 0; time < times; time += 1) for (const chunk of stream.chunks) copy(chunk)
    },
    single: translation(stream, 1),
    batched: translation(stream, 8),
  })
  const detailOf = (costs: Costs): string =>
    `${perEvent(costs, stream)} against ${perEvent(floor, stream)} per event`
  return [
    { name, value: medianRatio(single, floor), unit: 'ratio', limit: LIMIT, detail: detailOf(single) },
    {
      name: `${name}, 8 events per read`,
      value: medianRatio(batched, floor),
      unit: 'ratio',
      detail: detailOf(batched),
    },
  ]
}

function translation(stream: AnswerStream, eventsPerRead: number): Subject {
  const pieces = reads(stream, eventsPerRead)
  return (times) => {
    for (let time = 0; time < times; time += 1) {
      const translator = newTranslator()
      translator.push(stream.opening)
      for (const bytes of pieces) translator.push(bytes)
      translator.push(stream.closing)
      if (translator.failure !== undefined || !translator.ended) throw new Error('a stream did not end well')
    }
  }
}

function perEvent(costs: Costs, { chunks }: AnswerStream): string {
  return `${((median(costs) * 1000) / chunks.length).toFixed(2)} µs`
}
