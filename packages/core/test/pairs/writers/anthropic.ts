import { anthropicFaults } from '../../anthropic/check-body.ts'
import { COUNTED, inPieces, type MeantAnswer, type MeantBlock, type Pick } from '../meant-answer.ts'
import type { ReadHistory, UpstreamWriter, WrittenAnswer } from '../upstream-writer.ts'

/** Anthropic's own servers, and those that speak as they do. */
export const anthropicWriter: UpstreamWriter = {
  takesProofsBack: true,
  write,
  readHistory,
  faults: anthropicFaults,
  model: 'claude-opus-4-6',
}

const PING = { type: 'ping' }
const EXPLAINED = { type: 'refusal', category: null, explanation: 'The model may not say this.' }

function write(answer: MeantAnswer, pick: Pick): WrittenAnswer {
  const usage = { input_tokens: COUNTED.input, output_tokens: 1 }
  const start = {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage },
  }
  const blocks = answer.blocks.flatMap((block, index) => eventsOf(block, index, pick))
  const delta = {
    type: 'message_delta',
    delta: {
      stop_reason: stopOf(answer),
      stop_sequence: null,
      ...(answer.stop === 'filter' && { stop_details: EXPLAINED }),
    },
    usage: { output_tokens: COUNTED.output },
  }
  const pings = pick(3) === 0 ? [PING] : []
  const body = [start, ...pings, ...blocks, ...pings, delta].map(eventText).join('')
  const stop = eventText({ type: 'message_stop' })
  const encoder = new TextEncoder()
  // The last event has said it when its data is there; what ends the line adds nothing.
  return {
    bytes: encoder.encode(body + stop),
    end: encoder.encode(body + stop.trimEnd()).length,
    counted: true,
    says: answer,
  }
}

function stopOf({ stop, blocks }: MeantAnswer): string {
  if (stop === 'length') return 'max_tokens'
  if (stop === 'filter') return 'refusal'
  return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
}

function eventText(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function eventsOf(block: MeantBlock, index: number, pick: Pick): { type: string }[] {
  const { head, deltas } = block.type === 'tool_use' ? callParts(block, pick) : wordParts(block)
  return [
    { type: 'content_block_start', index, content_block: head },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ] as { type: string }[]
}

interface BlockParts {
  readonly head: object
  readonly deltas: readonly object[]
}

function callParts({ id, name, input }: Extract<MeantBlock, { type: 'tool_use' }>, pick: Pick): BlockParts {
  const pieces = [...(pick(2) === 0 ? [''] : []), ...inPieces(JSON.stringify(input, null, pick(3)), pick)]
  return {
    head: { type: 'tool_use', id, name, input: {} },
    deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }
}

function wordParts({ type, pieces, proof }: Exclude<MeantBlock, { type: 'tool_use' }>): BlockParts {
  if (type === 'text')
    return { head: { type, text: '' }, deltas: pieces.map((text) => ({ type: 'text_delta', text })) }
  return {
    head: { type, thinking: '', signature: '' },
    deltas: [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      ...(proof === '' ? [] : [{ type: 'signature_delta', signature: proof }]),
    ],
  }
}

interface Turn {
  readonly content: string | readonly Record<string, unknown>[]
}

function readHistory({ messages }: Readonly<Record<string, unknown>>): ReadHistory {
  // Marks of the cache move along with the end of a conversation; what is cached does not depend on them.
  const plain = JSON.stringify(messages, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  )
  const turns = JSON.parse(plain) as readonly Turn[]
  const blocks = turns.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  return {
    turns,
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    results: blocks.flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [String(id)] : [])),
  }
}
