import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Told } from './client-reader.ts'
import {
  type MeantAnswer,
  type MeantBlock,
  meantAnswer,
  type Pick,
  pickFrom,
  wording,
} from './meant-answer.ts'
import { Exchange, type Pair, PAIRS, toldBy } from './pair.ts'

/** What a client was told of an answer in one exchange. */
function tell(exchange: Exchange, { reader, writer }: Pair, [answer, picks]: Worded): [Told, MeantAnswer] {
  const { bytes, says } = writer.write(answer, picks())
  return [reader.read(toldBy(exchange.translation(reader.ask(true)), [bytes])), says]
}

type Worded = readonly [answer: MeantAnswer, picks: () => Pick]

function callsOf(blocks: readonly MeantBlock[]): Extract<MeantBlock, { type: 'tool_use' }>[] {
  return blocks.filter((block) => block.type === 'tool_use')
}

/** An answer that says something: the turns of a user on both sides of none would be one turn. */
function spoken(answer: MeantAnswer): MeantAnswer {
  return { ...answer, blocks: [{ type: 'text', pieces: ['Well.'], proof: '' }, ...answer.blocks] }
}

describe.each(PAIRS)('$name', (pair) => {
  const { reader, writer } = pair

  test('invariants 7 and 9: calls go back to the upstream that made them, each with its result', () => {
    fc.assert(
      fc.property(meantAnswer, wording, (answer, picks) => {
        const exchange = new Exchange(pair)
        const [told, says] = tell(exchange, pair, [answer, picks])
        const { calls, results } = writer.readHistory(exchange.encode(reader.askAgain([told])).body)
        const meant = callsOf(says.blocks)
        expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(
          meant.map(({ name, input }) => ({ name, input })),
        )
        expect(results).toEqual(calls.map(({ id }) => id))
        // What had an id comes back under it.
        for (const [index, { id }] of meant.entries()) {
          const sent = calls[index]?.id
          if (id !== '' && sent !== '') expect(sent).toBe(id)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('invariant 6: a longer conversation begins with the same turns', () => {
    fc.assert(
      fc.property(meantAnswer, wording, meantAnswer, (answer, picks, next) => {
        const exchange = new Exchange(pair)
        const [first] = tell(exchange, pair, [spoken(answer), picks])
        const [second] = tell(exchange, pair, [spoken(next), picks])
        const shorter = writer.readHistory(exchange.encode(reader.askAgain([first])).body).turns
        const longer = writer.readHistory(exchange.encode(reader.askAgain([first, second])).body).turns
        expect(JSON.stringify(longer.slice(0, shorter.length))).toBe(JSON.stringify(shorter))
      }),
      { numRuns: 40 },
    )
  })

  test('a proof goes back to its maker, and to nobody else', () => {
    const block = { type: 'thinking', pieces: ['Hm.'], proof: 'cHJvb2Ytb2YtdGhpcw==' } as const
    const call = { type: 'tool_use', id: 'call_0', name: 'Read', input: {} } as const
    const exchange = new Exchange(pair)
    const [told, says] = tell(exchange, pair, [{ blocks: [block, call], stop: 'end' }, () => pickFrom([1])])
    const [thought] = says.blocks
    const again = reader.askAgain([told])
    for (const other of PAIRS.filter(({ client }) => client === pair.client)) {
      const body = JSON.stringify(exchange.encodeFor(other, again).body)
      const isMaker = other.upstream === pair.upstream && thought?.type === 'thinking' && thought.proof !== ''
      const takesBack = isMaker && writer.takesProofsBack
      expect(body.includes(block.proof), other.upstreamName).toBe(takesBack)
    }
  })
})
