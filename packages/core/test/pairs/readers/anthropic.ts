import type { HubResponse } from '../../../src/hub/message.ts'
import { unfold } from '../../../src/stream/unfold.ts'
import { type ReadBlock, readStream } from '../../streams/grammar.ts'
import type { ClientReader, Told, ToldCall, ToldWords } from '../client-reader.ts'
import { inputFrom } from '../input-from.ts'
import { TOOLS } from '../meant-answer.ts'

/** A client of Anthropic's Messages. */
export const anthropicReader: ClientReader = {
  keepsOrder: true,
  carriesProofs: true,
  ask: (stream) => ({ body: { ...ASKED, stream, messages: [FIRST] } }),
  askAgain: (answers) => ({ body: { ...ASKED, stream: true, messages: [FIRST, ...answers.flatMap(round)] } }),
  read,
  readWhole,
}

const FIRST = { role: 'user', content: 'Hello.' }
const ASKED = {
  model: 'claude-test',
  max_tokens: 1024,
  tools: TOOLS.map((name) => ({ name, description: name, input_schema: { type: 'object' } })),
}

const STOPS: Readonly<Record<string, NonNullable<Told['stop']>>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  pause_turn: 'end',
  tool_use: 'tools',
  max_tokens: 'length',
  refusal: 'filter',
}

function read(output: string): Told {
  const { blocks: streamed, end, error } = readStream(output)
  // What came before an error may be cut off anywhere.
  const blocks = error === undefined ? streamed.flatMap(toldOf) : []
  const usage = end && {
    input:
      (end.usage.input_tokens ?? 0) +
      (end.usage.cache_read_input_tokens ?? 0) +
      (end.usage.cache_creation_input_tokens ?? 0),
    output: end.usage.output_tokens,
  }
  return {
    blocks,
    stop: end && stopOf(end.delta.stop_reason),
    usage,
    error: error?.message,
    turn: blocks.map(wireBlock),
  }
}

/** A whole message has the content of a stream: what is legal there is legal here. */
function readWhole(body: string): Told {
  const message = JSON.parse(body) as HubResponse
  const blocks: (ToldWords | ToldCall)[] = []
  const pieces: string[] = []
  let proof = ''
  let head: Parameters<Parameters<typeof unfold>[1]['blockStart']>[0] | undefined
  unfold(message, {
    messageStart() {},
    blockStart: (block) => void (head = block),
    text: (piece) => void pieces.push(piece),
    thinking: (piece) => void pieces.push(piece),
    inputJson: (piece) => void pieces.push(piece),
    signature: (value) => void (proof = value),
    extra() {},
    blockStop() {
      const content = pieces.splice(0).join('')
      if (head?.type === 'text' || head?.type === 'thinking') blocks.push({ type: head.type, content, proof })
      if (head?.type === 'tool_use')
        blocks.push({ type: 'tool_use', id: head.id, name: head.name, input: inputFrom(content) })
      proof = ''
    },
    messageStop() {},
    error() {},
  })
  const { usage, stop_reason: stop } = message
  return {
    blocks,
    stop: stopOf(stop),
    usage: {
      input:
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      output: usage.output_tokens,
    },
    error: undefined,
    turn: blocks.map(wireBlock),
  }
}

function toldOf({ start, content, signature }: ReadBlock): (ToldWords | ToldCall)[] {
  if (start.type === 'tool_use')
    return [{ type: 'tool_use', id: start.id, name: start.name, input: inputFrom(content) }]
  if (start.type === 'text' || start.type === 'thinking')
    return [{ type: start.type, content, proof: signature }]
  // Blocks that this client does not know are not for it.
  return []
}

function wireBlock(block: ToldWords | ToldCall): object {
  if (block.type === 'tool_use') return block
  if (block.type === 'text') return { type: 'text', text: block.content }
  return { type: 'thinking', thinking: block.content, signature: block.proof }
}

function round({ blocks, turn }: Told): object[] {
  const calls = blocks.filter((block) => block.type === 'tool_use')
  const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'done' }))
  const content = [...results, { type: 'text', text: 'Go on.' }]
  return [...(turn.length === 0 ? [] : [{ role: 'assistant', content: turn }]), { role: 'user', content }]
}

/** A reason that is newer than this client is an end like any other. */
function stopOf(reason: string | null): NonNullable<Told['stop']> {
  return Object.hasOwn(STOPS, String(reason)) ? (STOPS[String(reason)] ?? 'end') : 'end'
}
