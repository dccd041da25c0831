import * as fc from 'fast-check'

/** One block that a model means to send. */
export type MeantBlock = MeantWords | MeantCall

/** Text or thinking, in the pieces in which the model makes it. */
export interface MeantWords {
  readonly type: 'text' | 'thinking'
  readonly pieces: readonly string[]
  /** What proves a thought to its maker, '' for none. */
  readonly proof: string
}

/** A call of a tool. */
export interface MeantCall {
  readonly type: 'tool_use'
  /** '' if the upstream gives it none. */
  readonly id: string
  readonly name: string
  readonly input: object
}

/** An answer in words of no dialect: what a model means, however an upstream words it. */
export interface MeantAnswer {
  readonly blocks: readonly MeantBlock[]
  readonly stop: 'end' | 'length' | 'filter'
}

/** Decides how something is worded where there are several ways: a number below the given one. */
export type Pick = (below: number) => number

/** What every upstream in these tests counts, if it counts. */
export const COUNTED = { input: 11, output: 7 } as const

/** The tools that every client in these tests offers. */
export const TOOLS = ['Read', 'Bash', 'constructor', 'mcp__server__tool'] as const

const TEXT = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const PIECES = fc.array(TEXT, { minLength: 1, maxLength: 4 })
/** Any JSON object as JSON has it: written once, so that `-0` is the `0` that every reader gets. */
const INPUT: fc.Arbitrary<object> = fc
  .dictionary(
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.constantFrom('__proto__', 'constructor')),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 4 },
  )
  .map((input) => JSON.parse(JSON.stringify(input)) as object)

const BLOCK: fc.Arbitrary<MeantBlock> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), pieces: PIECES, proof: fc.constant('') }),
  fc.record({
    type: fc.constant('thinking' as const),
    pieces: PIECES,
    proof: fc.constantFrom('', 'cHJvb2Y=', 'b3RoZXI='),
  }),
  // Reasoning that nobody may read.
  fc.constant({ type: 'thinking' as const, pieces: [], proof: 'c2VjcmV0' }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id: fc.constant(''),
    name: fc.constantFrom(...TOOLS),
    input: INPUT,
  }),
)

/** Any answer that is whole. */
export const meantAnswer: fc.Arbitrary<MeantAnswer> = fc.record({
  blocks: fc.array(BLOCK, { maxLength: 6 }).map((blocks) => joined(numbered(blocks))),
  stop: fc.constantFrom('end', 'end', 'length', 'filter'),
})

/** Any choice of words; whoever asks it again with the same answer is told the same. */
export const wording: fc.Arbitrary<() => Pick> = fc
  .array(fc.nat({ max: 999 }), { minLength: 8, maxLength: 32 })
  .map((numbers) =>
    Object.assign(() => pickFrom(numbers), { toString: () => `pickFrom(${JSON.stringify(numbers)})` }),
  )

/** Picks by these numbers, from the first one again when they are used up. */
export function pickFrom(numbers: readonly number[]): Pick {
  let at = 0
  return (below) => {
    const number = numbers[at % numbers.length] ?? 0
    at += 1
    return number % below
  }
}

/** Neighbours of one kind are one block where nothing tells them apart. */
export function joined(blocks: readonly MeantBlock[]): MeantBlock[] {
  const result: MeantBlock[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    const isMore = last !== undefined && last.type !== 'tool_use' && last.type === block.type
    if (!isMore) result.push(block)
    else result[result.length - 1] = { ...last, pieces: [...last.pieces, ...block.pieces] }
  }
  return result
}

/** Something cut into pieces of any length. */
export function inPieces(text: string, pick: Pick): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length;) {
    const length = 1 + pick(12)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

function numbered(blocks: readonly MeantBlock[]): MeantBlock[] {
  let calls = 0
  return blocks.map((block) => {
    if (block.type !== 'tool_use') return block
    calls += 1
    return { ...block, id: `call_${calls - 1}` }
  })
}
