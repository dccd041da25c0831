import { openEnvelope, UNSIGNED } from '../../src/identity/envelope.ts'
import type { Told, ToldCall, ToldWords } from './client-reader.ts'
import type { MeantAnswer, MeantBlock } from './meant-answer.ts'
import type { Pair } from './pair.ts'

/** What a client ought to be told of an answer, as far as its protocol can say it. */
export interface Outline {
  /** In their order where the client's protocol has one; else thoughts, texts and calls, each put together. */
  readonly blocks: readonly unknown[]
  readonly stop: Told['stop']
}

/** The outline of what an upstream meant. */
export function meantOutline(answer: MeantAnswer, pair: Pair): Outline {
  const hasCalls = answer.blocks.some(({ type }) => type === 'tool_use')
  return {
    blocks: outlined(answer.blocks.map(meantBlock), pair),
    stop: answer.stop === 'end' && hasCalls ? 'tools' : answer.stop,
  }
}

/** The outline of what a client was told, with the upstream's own proofs instead of their envelopes. */
export function toldOutline({ blocks, stop }: Told, pair: Pair): Outline {
  return {
    blocks: outlined(
      blocks.map((block) => toldBlock(block, pair)),
      pair,
    ),
    stop,
  }
}

type Plain = ToldWords | Omit<ToldCall, 'id'>

function meantBlock(block: MeantBlock): Plain {
  if (block.type !== 'tool_use')
    return { type: block.type, content: block.pieces.join(''), proof: block.proof }
  return { type: 'tool_use', name: block.name, input: block.input }
}

function toldBlock(block: ToldWords | ToldCall, { upstreamName }: Pair): Plain {
  if (block.type === 'tool_use') return { type: 'tool_use', name: block.name, input: block.input }
  if (block.proof === UNSIGNED) return { ...block, proof: '' }
  const envelope = openEnvelope(block.proof)
  if (envelope === undefined) return block
  if (envelope.by !== upstreamName)
    throw new Error(`a proof of ${envelope.by} in an answer of ${upstreamName}`)
  return { ...block, proof: envelope.proof }
}

function outlined(blocks: readonly Plain[], { reader }: Pair): unknown[] {
  if (reader.keepsOrder) return reader.carriesProofs ? [...blocks] : withoutProofs(blocks)
  const text = blocks.map((block) => (block.type === 'text' ? block.content : '')).join('')
  // Between two thoughts there may be a paragraph where they become one text.
  const thinking = blocks.map((block) => (block.type === 'thinking' ? block.content : '')).join('')
  return [thinking.replaceAll(/\s/g, ''), text, ...blocks.filter(({ type }) => type === 'tool_use')]
}

/** Where proofs are on other parts, a thought without words is none, and its neighbours are one text. */
function withoutProofs(blocks: readonly Plain[]): Plain[] {
  const result: Plain[] = []
  for (const block of blocks) {
    const last = result.at(-1)
    if (block.type === 'tool_use') result.push(block)
    else if (last?.type === block.type)
      result[result.length - 1] = { ...last, content: last.content + block.content }
    else if (block.content !== '') result.push({ ...block, proof: '' })
  }
  return result
}
