import {
  anthropic,
  type Dialect,
  gemini,
  openaiChat,
  openaiResponses,
  plainReply,
  profiles,
  relayAnswer,
  translateStream,
  type Translation,
} from '@hydra/core'
import type { Fault, Tally } from '../fault.ts'
import {
  ANY_SHAPES,
  CHAT_SHAPES,
  GEMINI_SHAPES,
  MESSAGES_SHAPES,
  RESPONSES_SHAPES,
  type Shape,
} from './hostile-shapes.ts'

/** Sizes of which the second is four times the first. */
const SMALL = 2000
const LARGE = 4 * SMALL
/** Four times the bytes may cost four times as much, and some more on a busy machine; quadratic cost is 16 times. */
const MAX_RATIO = 9
/** What takes less is below what can be measured. */
const MIN_MICROSECONDS = 20_000
const TRIES = 3

/** An upstream, a client of another dialect, and one of its own. */
interface Side {
  readonly upstream: Required<Dialect>
  readonly other: Required<Dialect>
  readonly shapes: Readonly<Record<string, Shape>>
}

const SIDES: readonly Side[] = [
  { upstream: openaiChat, other: anthropic, shapes: CHAT_SHAPES },
  { upstream: anthropic, other: openaiChat, shapes: MESSAGES_SHAPES },
  { upstream: openaiResponses, other: anthropic, shapes: RESPONSES_SHAPES },
  { upstream: gemini, other: anthropic, shapes: GEMINI_SHAPES },
]

/** An answer that is read, in one of the ways in which it can be. */
interface Reading {
  readonly name: string
  readonly shape: Shape
  readonly begin: () => Pick<Translation, 'pushRaw' | 'end'>
}

const READINGS: readonly Reading[] = SIDES.flatMap(({ upstream, other, shapes }) => {
  const profile = { ...profiles.generic, ...upstream.upstream.defaultProfile, thinkingTag: 'think' }
  const options = (client: Required<Dialect>) => ({
    client: client.client,
    clientReply: {},
    upstream: upstream.upstream,
    reply: plainReply('m', profile),
    messageId: 'msg',
  })
  return Object.entries({ ...ANY_SHAPES, ...shapes }).flatMap(([name, shape]) => [
    { name: `${name}, ${upstream.name} translated`, shape, begin: () => translateStream(options(other)) },
    { name: `${name}, ${upstream.name} relayed`, shape, begin: () => relayAnswer(options(upstream)) },
  ])
})

/** The CPU time of a shape of so many pieces, in microseconds. */
function costOf({ shape, begin }: Reading, pieces: number): number {
  const [first, piece] = shape
  const translation = begin()
  const bytes = Array.from({ length: pieces }, (_, index) => Buffer.from(piece(index)))
  const before = process.cpuUsage()
  translation.pushRaw(Buffer.from(first))
  for (const one of bytes) translation.pushRaw(one)
  translation.end()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function isQuadratic(reading: Reading): boolean {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const small = costOf(reading, SMALL)
    const large = costOf(reading, LARGE)
    if (large < MIN_MICROSECONDS || large / small <= MAX_RATIO) return false
  }
  return true
}

async function hostileShapes(): Promise<Tally> {
  const slow = READINGS.filter(isQuadratic)
  for (const { name } of slow) console.log(`  costs more than in proportion: ${name}`)
  return { tried: READINGS.length, lies: 0, lost: slow.length, leaked: 0 }
}

/** F23: nothing that a peer sends may keep everybody else waiting. */
export const COST_FAULTS: readonly Fault[] = [
  { name: 'F23 hostile shapes cost in proportion to their bytes', run: hostileShapes },
]
