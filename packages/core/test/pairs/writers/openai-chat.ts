import { chatFaults } from '../../requests/check-chat-body.ts'
import { UPSTREAM_LIMITS } from '../../requests/upstream-limits.ts'
import { type CallStyle, chatBody, type Ending, type Part } from '../../streams/arbitrary-answer.ts'
import { upstreamEndOf } from '../../streams/upstream-end.ts'
import { joined, type MeantAnswer, type MeantBlock, type Pick } from '../meant-answer.ts'
import type { ReadHistory, UpstreamWriter, WrittenAnswer } from '../upstream-writer.ts'

/** Servers of Chat Completions, each with habits of its own. */
export const openaiChatWriter: UpstreamWriter = {
  takesProofsBack: false,
  write,
  readHistory,
  faults: (body) => chatFaults(body, UPSTREAM_LIMITS.generic),
}

const FINISHES = {
  end: ['stop', 'tool_calls', 'eos'],
  length: ['length'],
  filter: ['content_filter'],
} as const
const USAGES = ['finish', 'later', 'choice', 'groq', 'every', 'never'] as const
const REASONING = ['reasoning_content', 'reasoning', 'reasoning_text', 'details', 'twice'] as const

function write(answer: MeantAnswer, pick: Pick): WrittenAnswer {
  const style = styleFrom(pick)
  const finishes = FINISHES[answer.stop]
  const ending: Ending = {
    finish: finishes[pick(finishes.length)] ?? 'stop',
    finishTwice: pick(4) === 0,
    done: pick(4) > 0,
    usage: USAGES[pick(USAGES.length)] ?? 'later',
    reasoningField: REASONING[pick(REASONING.length)] ?? 'reasoning',
  }
  const blocks = joined(answer.blocks.flatMap((block) => sayable(block, style)))
  const bytes = new TextEncoder().encode(chatBody(partsOf(blocks), { style, ending, random: pick }))
  return {
    bytes,
    end: upstreamEndOf(bytes),
    counted: ending.usage !== 'never',
    says: { ...answer, blocks },
  }
}

function styleFrom(pick: Pick): CallStyle {
  const index = pick(2) === 0
  const id = (['first', 'always', 'never'] as const)[pick(3)] ?? 'first'
  // Pieces that say nothing of their call can only belong to the latest one.
  const isClear = index || id === 'always'
  const [namesAgain, interleaves] = [pick(2) === 0, pick(2) === 0]
  return {
    index,
    id,
    namesAgain: isClear && namesAgain,
    interleaves: isClear && interleaves,
    asObject: pick(4) === 0,
  }
}

/** Chat has no place for proofs, and some servers give no ids. */
function sayable(block: MeantBlock, { id }: CallStyle): MeantBlock[] {
  if (block.type === 'tool_use') return [{ ...block, id: id === 'never' ? '' : block.id }]
  return block.pieces.length === 0 ? [] : [{ ...block, proof: '' }]
}

/** Calls that follow one another may be interleaved. */
function partsOf(blocks: readonly MeantBlock[]): Part[] {
  const parts: Part[] = []
  for (const block of blocks) {
    const last = parts.at(-1)
    if (block.type !== 'tool_use') parts.push({ type: block.type, pieces: block.pieces })
    else if (last?.type === 'calls') parts[parts.length - 1] = { ...last, calls: [...last.calls, block] }
    else parts.push({ type: 'calls', calls: [block] })
  }
  return parts
}

interface ChatTurn {
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
  readonly tool_call_id?: string
}

function readHistory({ messages }: Readonly<Record<string, unknown>>): ReadHistory {
  const turns = messages as readonly ChatTurn[]
  return {
    turns,
    calls: turns.flatMap(({ tool_calls: calls = [] }) =>
      calls.map((call) => ({
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments) as unknown,
      })),
    ),
    results: turns.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id])),
  }
}
