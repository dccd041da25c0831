import type { HubContentBlock, HubDelta, HubStreamEvent } from '../../src/hub/message.ts'
import type { ClientEvent, ErrorEvent } from './sse-events.ts'
import { parseEvents } from './sse-events.ts'

type EventOf<T extends HubStreamEvent['type']> = Extract<HubStreamEvent, { type: T }>

/** One block of a stream: how it began, and its deltas put together. */
export interface ReadBlock {
  readonly start: HubContentBlock
  /** The text, the thinking or the JSON of the input. */
  content: string
  signature: string
}

/** What a stream says, once its grammar was checked. */
export interface ReadStream {
  readonly events: readonly ClientEvent[]
  readonly blocks: readonly ReadBlock[]
  /** Why and with what usage the message ended; absent after an error. */
  readonly end: EventOf<'message_delta'> | undefined
  readonly error: ErrorEvent['error'] | undefined
}

/**
 * Reads a stream and throws at the first violation of the grammar that Anthropic's clients rely on:
 * `message_start block* (message_delta message_stop | error)`, or a single `error`.
 */
export function readStream(output: string): ReadStream {
  const reader = new GrammarReader()
  const events = parseEvents(output)
  for (const event of events) reader.read(event)
  return { events, ...reader.result() }
}

/** The input of a tool call as the object it is; anything else is a violation. */
export function inputOf({ start, content }: ReadBlock): unknown {
  if (start.type !== 'tool_use') throw new Error(`expected a tool call, got ${start.type}`)
  const value: unknown = JSON.parse(content)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`expected an object, got ${content}`)
  }
  return value
}

/** Which blocks a delta may stand in, and its text. */
const DELTAS: { readonly [T in HubDelta['type']]: readonly HubContentBlock['type'][] } = {
  text_delta: ['text'],
  citations_delta: ['text'],
  thinking_delta: ['thinking'],
  signature_delta: ['thinking'],
  input_json_delta: ['tool_use', 'server_tool_use'],
}

const KNOWN: ReadonlySet<string> = new Set(Object.values(DELTAS).flat())

class GrammarReader {
  readonly #blocks: ReadBlock[] = []
  #state: 'new' | 'between' | 'block' | 'delta' | 'ended' = 'new'
  #ids = new Set<string>()
  #end: EventOf<'message_delta'> | undefined
  #error: ErrorEvent['error'] | undefined

  result(): Omit<ReadStream, 'events'> {
    demand(this.#state === 'ended', 'the stream has no end')
    return { blocks: this.#blocks, end: this.#end, error: this.#error }
  }

  read(event: ClientEvent): void {
    demand(this.#state !== 'ended', `${event.type} after the end`)
    switch (event.type) {
      case 'message_start':
        this.#messageStart(event)
        return
      case 'content_block_start':
        this.#blockStart(event)
        return
      case 'content_block_delta':
        this.#delta(event)
        return
      case 'content_block_stop':
        this.#blockStop(event)
        return
      case 'message_delta':
        this.#messageDelta(event)
        return
      case 'message_stop':
        demand(this.#state === 'delta', 'message_stop without message_delta')
        this.#state = 'ended'
        return
      case 'error':
        this.#fail(event)
        return
      default:
        throw new Error(`unknown event ${JSON.stringify(event)}`)
    }
  }

  #messageStart({ message }: EventOf<'message_start'>): void {
    demand(this.#state === 'new', 'a second message_start')
    demand(message.id.startsWith('msg_'), `the id of the message is ${message.id}`)
    const { type, role, content, stop_reason, stop_sequence, stop_details, container, diagnostics } = message
    same([type, role, content], ['message', 'assistant', []])
    same([stop_reason, stop_sequence, stop_details, container, diagnostics], [null, null, null, null, null])
    demand(message.model !== '', 'the message has no model')
    countsOf(message.usage)
    this.#state = 'between'
  }

  #blockStart({ index, content_block: block }: EventOf<'content_block_start'>): void {
    demand(this.#state === 'between', `block ${index} starts in the state ${this.#state}`)
    demand(index === this.#blocks.length, `block ${index} is number ${this.#blocks.length}`)
    if (block.type === 'text') same(block, { type: 'text', text: '', citations: null })
    if (block.type === 'thinking') same(block, { type: 'thinking', thinking: '', signature: '' })
    if (block.type === 'tool_use') this.#callStart(block)
    this.#blocks.push({ start: block, content: '', signature: '' })
    this.#state = 'block'
  }

  #callStart(block: Extract<HubContentBlock, { type: 'tool_use' }>): void {
    const { id, name } = block
    same(block, { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } })
    demand(/^[a-zA-Z0-9_-]+$/.test(id), `the id of the call is ${JSON.stringify(id)}`)
    demand(!this.#ids.has(id), `two calls have the id ${id}`)
    demand(name !== '', 'the call has no name')
    this.#ids.add(id)
  }

  #delta({ index, delta }: EventOf<'content_block_delta'>): void {
    const block = this.#openBlock(index)
    // What a block of a kind that is newer than this may hold is not known.
    if (!KNOWN.has(block.start.type)) return
    const fitting = DELTAS[delta.type] as readonly string[] | undefined
    demand(fitting?.includes(block.start.type) === true, `${delta.type} in a block of ${block.start.type}`)
    demand(block.signature === '', 'something after the signature')
    if (delta.type === 'signature_delta') {
      block.signature = nonEmpty(delta.signature)
      return
    }
    if (delta.type !== 'citations_delta') block.content += nonEmpty(textOf(delta))
  }

  #blockStop({ index }: EventOf<'content_block_stop'>): void {
    const { start, content, signature } = this.#openBlock(index)
    demand(start.type !== 'text' || content !== '', 'an empty text block')
    demand(start.type !== 'thinking' || content + signature !== '', 'an empty thinking block')
    demand(start.type !== 'tool_use' || content !== '', 'a call without input')
    this.#state = 'between'
  }

  #messageDelta(event: EventOf<'message_delta'>): void {
    demand(this.#state === 'between', `message_delta in the state ${this.#state}`)
    const { delta, usage } = event
    same(Object.keys(delta).toSorted(), ['container', 'stop_details', 'stop_reason', 'stop_sequence'])
    demand(delta.stop_reason !== null, 'the message ends without a reason')
    // A block of a newer kind may be a call too.
    const calls = this.#blocks.some(({ start }) => start.type === 'tool_use' || !KNOWN.has(start.type))
    demand(calls || delta.stop_reason !== 'tool_use', 'tool_use without a call')
    countsOf(usage)
    this.#end = event
    this.#state = 'delta'
  }

  #fail({ error }: ErrorEvent): void {
    demand(this.#state !== 'delta', 'an error after message_delta')
    demand(typeof error.type === 'string' && error.type !== '', 'an error without a type')
    demand(typeof error.message === 'string' && error.message !== '', 'an error without a message')
    this.#error = error
    this.#state = 'ended'
  }

  #openBlock(index: number): ReadBlock {
    demand(this.#state === 'block', `something for block ${index} in the state ${this.#state}`)
    const block = this.#blocks.at(-1)
    if (block === undefined || index !== this.#blocks.length - 1)
      throw new Error(`block ${index} is not open`)
    return block
  }
}

function textOf(delta: HubDelta): string {
  if (delta.type === 'text_delta') return delta.text
  if (delta.type === 'thinking_delta') return delta.thinking
  return delta.type === 'input_json_delta' ? delta.partial_json : ''
}

function nonEmpty(text: unknown): string {
  if (typeof text !== 'string' || text === '')
    throw new Error(`expected a piece of text, got ${JSON.stringify(text)}`)
  return text
}

function countsOf(usage: object): void {
  const counts = usage as Record<string, unknown>
  for (const field of [
    'input_tokens',
    'output_tokens',
    'cache_creation_input_tokens',
    'cache_read_input_tokens',
  ]) {
    const count = counts[field]
    demand(typeof count === 'number' && Number.isFinite(count) && count >= 0, `${field} is ${String(count)}`)
  }
}

function same(actual: unknown, expected: unknown): void {
  const [have, want] = [JSON.stringify(actual), JSON.stringify(expected)]
  demand(have === want, `expected ${want}, got ${have}`)
}

function demand(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}
