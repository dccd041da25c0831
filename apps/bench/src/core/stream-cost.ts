import type { Translation } from '@hydra/core'
import { type ClientEntry, type Pair, pairName, PAIRS } from '../dialects/benched.ts'
import type { AnswerStream } from '../dialects/benched-dialect.ts'
import {
  type Costs,
  measure,
  type MeasureOptions,
  median,
  medianRatio,
  quicker,
  type Subject,
} from '../measure.ts'
import type { Figure, Suite, Wishes } from '../suite.ts'
import { copyEvents } from './floor.ts'
import { relays, translations } from './pair-exchange.ts'
import { argumentPieces, reads, words } from './streams.ts'

/** What an event may cost at most. */
const LIMIT = 0.8

/** There are many pairs, so each is measured for a shorter time than the suite's other subjects. */
const TIMING = { rounds: 11, roundMilliseconds: 30, warmUpMilliseconds: 300 }

interface Case {
  readonly name: string
  readonly client: ClientEntry
  readonly stream: AnswerStream
  readonly eventOf: Parameters<typeof copyEvents>[1]
  readonly translation: () => Translation
}

/** The cost of streaming per event, from every upstream to every client. */
export function streamFigures(progress: Parameters<Suite>[0], { isQuick }: Wishes): Figure[] {
  const timing = isQuick ? quicker(TIMING) : TIMING
  return casesOf(PAIRS).flatMap((one) => {
    progress(one.name)
    return figuresOf(one, timing)
  })
}

function casesOf(pairs: readonly Pair[]): readonly Case[] {
  return pairs.flatMap((pair) => {
    const { client, upstream } = pair
    const text = upstream.benched.text(words())
    const call = upstream.benched.call?.(argumentPieces())
    const { textEvent, callEvent } = client.benched
    const common = { client, translation: translations(pair) }
    const texts: Case = { ...common, name: `text, ${pairName(pair)}`, stream: text, eventOf: textEvent }
    const relayed = { ...texts, name: `relayed text, ${client.name}`, translation: relays(pair) }
    const calls = call && [{ ...common, name: `call, ${pairName(pair)}`, stream: call, eventOf: callEvent }]
    return [texts, ...(calls ?? []), ...(client.name === upstream.name ? [relayed] : [])]
  })
}

function figuresOf({ name, stream, eventOf, translation }: Case, timing: MeasureOptions): Figure[] {
  const { floor, single, batched } = measure(
    {
      floor: (times) => {
        for (let time = 0; time < times; time += 1) copyEvents(stream, eventOf)
      },
      single: translating(stream, translation, 1),
      batched: translating(stream, translation, 8),
    },
    timing,
  )
  const value = medianRatio(single, floor)
  const inReads = medianRatio(batched, floor)
  const perEvent = (costs: Costs): string => ((median(costs) * 1000) / stream.chunks.length).toFixed(2)
  const detail = `${perEvent(single)} µs against ${perEvent(floor)}; 8 events per read: ${inReads.toFixed(2)}`
  return [{ name, value: Math.max(value, inReads), unit: 'ratio', limit: LIMIT, detail }]
}

function translating(stream: AnswerStream, begin: () => Translation, eventsPerRead: number): Subject {
  const pieces = reads(stream, eventsPerRead)
  return (times) => {
    for (let time = 0; time < times; time += 1) {
      const translation = begin()
      translation.pushRaw(stream.opening)
      for (const bytes of pieces) translation.pushRaw(bytes)
      translation.pushRaw(stream.closing)
      translation.end()
      if (translation.failure !== undefined || !translation.ended) {
        throw new Error(`a stream did not end well: ${translation.failure?.message}`)
      }
    }
  }
}
