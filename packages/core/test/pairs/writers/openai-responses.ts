import { responsesFaults } from '../checks/responses-faults.ts'
import { COUNTED, inPieces, type MeantAnswer, type MeantBlock, type Pick } from '../meant-answer.ts'
import type { ReadHistory, UpstreamWriter, WrittenAnswer } from '../upstream-writer.ts'

/** OpenAI's Responses API, and servers that leave out some of its events. */
export const openaiResponsesWriter: UpstreamWriter = {
  takesProofsBack: true,
  write,
  readHistory,
  faults: responsesFaults,
}

/** How a server words an answer. */
interface Wording {
  readonly pick: Pick
  /** Whether it names its events on a line of their own. */
  readonly named: boolean
  /** Whether texts and arguments come in pieces, or only whole at the end of their item. */
  readonly streams: boolean
  /** Whether it tells where parts begin and end. */
  readonly tellsParts: boolean
  /** Whether reasoning is told as a summary or as it is. */
  readonly summarizes: boolean
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string }

const USAGE = {
  input_tokens: COUNTED.input,
  input_tokens_details: { cached_tokens: 3 },
  output_tokens: COUNTED.output,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: COUNTED.input + COUNTED.output,
}

function write(answer: MeantAnswer, pick: Pick): WrittenAnswer {
  const wording: Wording = {
    pick,
    named: pick(3) > 0,
    streams: pick(4) > 0,
    tellsParts: pick(3) > 0,
    summarizes: pick(2) === 0,
  }
  const items = answer.blocks.map((block, index) => itemOf(block, index, wording))
  const counted = pick(6) > 0
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] }
  const final = {
    ...response,
    status: answer.stop === 'end' ? 'completed' : 'incomplete',
    ...(answer.stop !== 'end' && {
      incomplete_details: { reason: answer.stop === 'length' ? 'max_output_tokens' : 'content_filter' },
    }),
    // Some servers do not repeat what was streamed.
    output: pick(4) > 0 ? items : [],
    ...(counted && { usage: USAGE }),
  }
  const begin = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]
  const events = [...begin, ...itemEvents(answer.blocks, items, wording)]
  const body = events.map((event, number) => eventText(event, number, wording)).join('')
  const last = eventText({ type: `response.${final.status}`, response: final }, events.length, wording)
  const encoder = new TextEncoder()
  return {
    bytes: encoder.encode(body + last),
    end: encoder.encode(body + last.trimEnd()).length,
    counted,
    says: answer,
  }
}

function eventText(event: Event, number: number, { named }: Wording): string {
  const name = named ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`
}

type Item = Readonly<Record<string, unknown>>

function itemOf(block: MeantBlock, index: number, { summarizes, pick }: Wording): Item {
  const id = `item_${index}`
  if (block.type === 'tool_use') {
    const json = JSON.stringify(block.input, null, pick(3))
    return {
      type: 'function_call',
      id,
      call_id: block.id,
      name: block.name,
      arguments: json,
      status: 'completed',
    }
  }
  const text = block.pieces.join('')
  if (block.type === 'text') {
    const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
    return { type: 'message', id, role: 'assistant', status: 'completed', content }
  }
  const proof = block.proof === '' ? {} : { encrypted_content: block.proof }
  if (text === '') return { type: 'reasoning', id, summary: [], ...proof }
  return summarizes
    ? { type: 'reasoning', id, summary: [{ type: 'summary_text', text }], ...proof }
    : { type: 'reasoning', id, summary: [], content: [{ type: 'reasoning_text', text }], ...proof }
}

/** The events of all items; those of calls that follow one another may be interleaved. */
function itemEvents(blocks: readonly MeantBlock[], items: readonly Item[], wording: Wording): Event[] {
  const queues = blocks.map((block, index) => eventsOf(block, { index, item: items[index] ?? {}, wording }))
  const isMixed = wording.pick(2) === 0
  const events: Event[] = []
  for (let at = 0; at < queues.length;) {
    const rest = blocks.slice(at).findIndex(({ type }) => type !== 'tool_use')
    const run = rest === -1 ? queues.length - at : rest
    const length = isMixed ? Math.max(1, run) : 1
    events.push(...mixed(queues.slice(at, at + length)))
    at += length
  }
  return events
}

function mixed(queues: readonly Event[][]): Event[] {
  const longest = Math.max(...queues.map((queue) => queue.length))
  return Array.from({ length: longest }, (_, at) => queues.flatMap((queue) => queue.slice(at, at + 1))).flat()
}

interface ItemPlace {
  readonly index: number
  readonly item: Item
  readonly wording: Wording
}

function eventsOf(block: MeantBlock, place: ItemPlace): Event[] {
  const { index, item } = place
  const { added, middle } = block.type === 'tool_use' ? callSteps(block, place) : wordSteps(block, place)
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...added } },
    ...middle,
    { type: 'response.output_item.done', output_index: index, item },
  ]
}

interface Steps {
  /** What the item is at its beginning. */
  readonly added: Item
  readonly middle: readonly Event[]
}

function callSteps(_block: MeantBlock, { index, item, wording }: ItemPlace): Steps {
  const where = { item_id: item['id'], output_index: index }
  const json = String(item['arguments'])
  const type = 'response.function_call_arguments'
  const pieces = wording.streams ? inPieces(json, wording.pick) : []
  return {
    added: { arguments: '', status: 'in_progress' },
    middle: [
      ...pieces.map((delta) => Object.assign({ type: `${type}.delta`, delta }, where)),
      { type: `${type}.done`, ...where, arguments: json },
    ],
  }
}

function wordSteps(
  block: Exclude<MeantBlock, { type: 'tool_use' }>,
  { index, item, wording }: ItemPlace,
): Steps {
  const { streams, tellsParts, summarizes } = wording
  const isSummary = block.type === 'thinking' && summarizes
  const text = block.pieces.join('')
  const added =
    block.type === 'text'
      ? { content: [], status: 'in_progress' }
      : { summary: [], content: undefined, encrypted_content: undefined }
  if (text === '') return { added, middle: [] }
  const [kind, part] = isSummary
    ? ['reasoning_summary_text', 'reasoning_summary_part']
    : [block.type === 'text' ? 'output_text' : 'reasoning_text', 'content_part']
  const where = {
    item_id: item['id'],
    output_index: index,
    [isSummary ? 'summary_index' : 'content_index']: 0,
  }
  const partType = isSummary ? 'summary_text' : kind
  const told = (step: string, words: string): Event[] =>
    tellsParts ? [{ type: `response.${part}.${step}`, ...where, part: { type: partType, text: words } }] : []
  const pieces = streams ? block.pieces : []
  return {
    added,
    middle: [
      ...told('added', ''),
      ...pieces.map((delta) => Object.assign({ type: `response.${kind}.delta`, delta }, where)),
      { type: `response.${kind}.done`, ...where, text },
      ...told('done', text),
    ],
  }
}

function readHistory({ input }: Readonly<Record<string, unknown>>): ReadHistory {
  const turns = input as readonly Item[]
  return {
    turns,
    calls: turns
      .filter(({ type }) => type === 'function_call')
      .map((item) => ({
        id: String(item['call_id']),
        name: String(item['name']),
        input: JSON.parse(String(item['arguments'])) as unknown,
      })),
    results: turns.flatMap((item) =>
      item['type'] === 'function_call_output' ? [String(item['call_id'])] : [],
    ),
  }
}
