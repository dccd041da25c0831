import { geminiFaults } from '../checks/gemini-faults.ts'
import { COUNTED, type MeantAnswer, type MeantBlock, type Pick } from '../meant-answer.ts'
import type { ReadHistory, UpstreamWriter, WrittenAnswer } from '../upstream-writer.ts'

/** Google's own servers: parts in events, calls always whole. */
export const geminiWriter: UpstreamWriter = {
  takesProofsBack: true,
  write,
  readHistory,
  faults: geminiFaults,
}

const FINISHES = { end: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' } as const

const USAGE = {
  promptTokenCount: COUNTED.input,
  cachedContentTokenCount: 3,
  candidatesTokenCount: COUNTED.output - 2,
  thoughtsTokenCount: 2,
}

type Part = Readonly<Record<string, unknown>>

function write(answer: MeantAnswer, pick: Pick): WrittenAnswer {
  const hasIds = pick(2) === 0
  const newline = pick(2) === 0 ? '\r\n' : '\n'
  const counted = pick(5) > 0
  const blocks = answer.blocks.map((block) =>
    block.type === 'tool_use' && !hasIds ? { ...block, id: '' } : block,
  )
  const parts = blocks.flatMap(partsOf)
  const chunks: object[] = []
  for (let at = 0; at < parts.length;) {
    const length = 1 + pick(3)
    chunks.push({
      candidates: [{ index: 0, content: { role: 'model', parts: parts.slice(at, at + length) } }],
    })
    at += length
  }
  const candidate = { index: 0, content: { parts: [{ text: '' }] }, finishReason: FINISHES[answer.stop] }
  const last = { candidates: [candidate], ...(counted && { usageMetadata: USAGE }) }
  const text = (chunk: object): string => `data: ${JSON.stringify(chunk)}${newline}${newline}`
  const body = chunks.map(text).join('')
  const encoder = new TextEncoder()
  return {
    bytes: encoder.encode(body + text(last)),
    end: encoder.encode(body + text(last).trimEnd()).length,
    counted,
    says: { blocks, stop: stopOf({ ...answer, blocks }) },
  }
}

/** Calls are always whole here, so they are made even if nothing more could be said. */
function stopOf({ stop, blocks }: MeantAnswer): MeantAnswer['stop'] {
  return stop === 'length' && blocks.some(({ type }) => type === 'tool_use') ? 'end' : stop
}

function partsOf(block: MeantBlock): Part[] {
  if (block.type === 'tool_use') {
    const { id, name, input } = block
    return [{ functionCall: { ...(id !== '' && { id }), name, args: input } }]
  }
  if (block.type === 'text') return block.pieces.map((text) => ({ text }))
  return [
    ...block.pieces.map((text) => ({ text, thought: true })),
    ...(block.proof === '' ? [] : [{ text: '', thought: true, thoughtSignature: block.proof }]),
  ]
}

interface Call {
  readonly id?: string
  readonly name: string
  readonly args?: unknown
}

interface Turn {
  readonly parts: readonly { readonly functionCall?: Call; readonly functionResponse?: Call }[]
}

function readHistory({ contents }: Readonly<Record<string, unknown>>): ReadHistory {
  const turns = contents as readonly Turn[]
  const parts = turns.flatMap((turn) => turn.parts)
  return {
    turns,
    calls: parts.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ id: call.id ?? '', name: call.name, input: call.args }],
    ),
    results: parts.flatMap(({ functionResponse: result }) => (result === undefined ? [] : [result.id ?? ''])),
  }
}
