import type { GrammarResult } from './grammar.ts'

interface StreamEvent {
  readonly type: string
  readonly index?: number
  readonly content_block?: { readonly type: string; readonly id?: string }
  readonly delta?: { readonly type?: string; readonly stop_reason?: string | null }
  readonly message?: { readonly id?: string; readonly role?: string }
  readonly usage?: { readonly output_tokens?: unknown }
  readonly error?: { readonly type?: unknown; readonly message?: unknown }
}

/** Which deltas a block may hold; a block that came whole holds none. */
const DELTAS: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta', 'citations_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
  server_tool_use: ['input_json_delta'],
}

const KNOWN_DELTAS: ReadonlySet<string> = new Set(Object.values(DELTAS).flat())

const EVENT = /^event: ([a-z_]+)\ndata: ([^\n\r]+)$/

/**
 * Checks `message_start block* (message_delta message_stop | error)`, or a single `error`. It shares nothing with
 * the translator, so that it cannot share a mistake.
 */
export function checkMessagesGrammar(output: string): GrammarResult {
  if (!output.endsWith('\n\n'))
    return { violation: `it ends in the middle of an event: ${output.slice(-60)}` }
  const state = new MessageState()
  for (const text of output.slice(0, -2).split('\n\n')) {
    const event = parseEvent(text)
    const violation = typeof event === 'string' ? event : state.read(event)
    if (violation !== undefined) return { violation }
  }
  return state.result()
}

function parseEvent(text: string): StreamEvent | string {
  const [, name, json = ''] = EVENT.exec(text) ?? []
  if (name === undefined) return `this is no event: ${text.slice(0, 200)}`
  try {
    const event = JSON.parse(json) as StreamEvent | null
    return event?.type === name ? event : `an event is called ${name} and says that it is ${event?.type}`
  } catch {
    return `the data of an event is no JSON: ${json.slice(0, 200)}`
  }
}

class MessageState {
  #place: 'before' | 'between' | 'block' | 'stopping' | 'over' = 'before'
  #blocks = 0
  #open = ''
  #callIds = new Set<string>()
  #end: 'clean' | 'error' = 'clean'

  result(): GrammarResult {
    if (this.#place !== 'over') return { violation: 'it has no end' }
    return { end: this.#end }
  }

  read(event: StreamEvent): string | undefined {
    if (this.#place === 'over') return `${event.type} comes after the end`
    switch (event.type) {
      case 'message_start':
        return this.#start(event)
      case 'content_block_start':
        return this.#blockStart(event)
      case 'content_block_delta':
        return this.#delta(event)
      case 'content_block_stop':
        return this.#blockStop(event)
      case 'message_delta':
        return this.#messageDelta(event)
      case 'message_stop':
        return this.#go('stopping', 'over', 'message_stop')
      case 'error':
        return this.#error(event)
      default:
        return `there is no event ${event.type}`
    }
  }

  #go(from: string, to: 'between' | 'block' | 'stopping' | 'over', name: string): string | undefined {
    if (this.#place !== from) return `${name} comes ${this.#place} and not ${from}`
    this.#place = to
    return undefined
  }

  #start({ message }: StreamEvent): string | undefined {
    if (message?.role !== 'assistant' || !message.id) return 'message_start has no message'
    return this.#go('before', 'between', 'message_start')
  }

  #blockStart({ index, content_block: block }: StreamEvent): string | undefined {
    if (index !== this.#blocks) return `block ${index} should be number ${this.#blocks}`
    if (block === undefined) return `block ${index} is nothing`
    if (block.type === 'tool_use') {
      if (!block.id || this.#callIds.has(block.id))
        return `the id of block ${index} is not its own: ${block.id}`
      this.#callIds.add(block.id)
    }
    this.#open = block.type
    this.#blocks += 1
    return this.#go('between', 'block', 'content_block_start')
  }

  #delta({ index, delta }: StreamEvent): string | undefined {
    if (this.#place !== 'block' || index !== this.#blocks - 1) return `block ${index} is not open`
    const { type } = delta ?? {}
    if (!type) return `block ${index} has a delta without a type`
    // What Anthropic may invent is passed on as it is.
    const fits = !KNOWN_DELTAS.has(type) || DELTAS[this.#open]?.includes(type) === true
    return fits ? undefined : `${type} stands in a block of ${this.#open}`
  }

  #blockStop({ index }: StreamEvent): string | undefined {
    if (index !== this.#blocks - 1) return `block ${index} is not open`
    return this.#go('block', 'between', 'content_block_stop')
  }

  #messageDelta({ delta, usage }: StreamEvent): string | undefined {
    if (!delta?.stop_reason) return 'the message ends without a reason'
    if (typeof usage?.output_tokens !== 'number') return 'the message ends without its usage'
    if (delta.stop_reason === 'tool_use' && this.#callIds.size === 0) return 'it stops for a call it has not'
    return this.#go('between', 'stopping', 'message_delta')
  }

  #error({ error }: StreamEvent): string | undefined {
    if (this.#place === 'stopping') return 'error comes after message_delta'
    if (typeof error?.type !== 'string' || typeof error.message !== 'string' || error.message === '') {
      return 'an error says nothing'
    }
    this.#place = 'over'
    this.#end = 'error'
    return undefined
  }
}
