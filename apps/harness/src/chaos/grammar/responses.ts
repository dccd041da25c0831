import { readWireEvents, type WireEvent } from './events.ts'
import type { GrammarResult } from './grammar.ts'

interface ResponseEvent {
  readonly type?: unknown
  readonly sequence_number?: unknown
  readonly output_index?: unknown
  readonly item?: { readonly type?: unknown; readonly id?: unknown }
  readonly message?: unknown
  readonly response?: {
    readonly id?: unknown
    readonly status?: unknown
    readonly output?: readonly unknown[]
  }
}

const ENDS: ReadonlyMap<unknown, 'clean' | 'error'> = new Map([
  ['response.completed', 'clean'],
  ['response.incomplete', 'clean'],
  ['response.failed', 'error'],
])

/** Checks `created in_progress item* (completed | incomplete | error? failed)`, numbered without a gap. */
export function checkResponsesGrammar(output: string): GrammarResult {
  const events = readWireEvents(output)
  if (typeof events === 'string') return { violation: events }
  const state = new ResponseState()
  for (const [index, event] of events.entries()) {
    const violation = state.read(event, index)
    if (violation !== undefined) return { violation }
  }
  return state.result()
}

class ResponseState {
  #end: 'clean' | 'error' | undefined
  #hasBegun = false
  #hasFailed = false
  #items = 0
  #open: unknown

  result(): GrammarResult {
    return this.#end === undefined ? { violation: 'it has no end' } : { end: this.#end }
  }

  read({ name, data }: WireEvent, number: number): string | undefined {
    const event = data as ResponseEvent
    if (event.type !== name) return `an event is called ${name} and says that it is ${String(event.type)}`
    if (event.sequence_number !== number)
      return `event ${number} has the number ${String(event.sequence_number)}`
    if (this.#end !== undefined) return `${name} comes after the end`
    if (!this.#hasBegun) return this.#begin(event)
    const end = ENDS.get(name)
    if (end !== undefined) return this.#finish(event, end)
    if (this.#hasFailed) return `${name} comes after an error`
    if (name === 'error') return this.#error(event)
    if (name === 'response.output_item.added') return this.#added(event)
    if (name === 'response.output_item.done') return this.#done(event)
    const { output_index: index } = event
    return index === undefined || index === this.#open
      ? undefined
      : `${name} is about an item that is not open`
  }

  #begin({ type, response }: ResponseEvent): string | undefined {
    if (type !== 'response.created' || !response?.id) return `it begins with ${String(type)}`
    this.#hasBegun = true
    return undefined
  }

  #error({ message }: ResponseEvent): string | undefined {
    if (typeof message !== 'string' || message === '') return 'an error says nothing'
    this.#hasFailed = true
    return undefined
  }

  #added({ output_index: index, item }: ResponseEvent): string | undefined {
    if (this.#open !== undefined) return `item ${String(index)} begins in another one`
    if (index !== this.#items) return `item ${String(index)} should be number ${this.#items}`
    if (!item?.type) return `item ${String(index)} is nothing`
    this.#open = index
    this.#items += 1
    return undefined
  }

  #done({ output_index: index }: ResponseEvent): string | undefined {
    if (index !== this.#open) return `item ${String(index)} is not open`
    this.#open = undefined
    return undefined
  }

  #finish({ type, response }: ResponseEvent, end: 'clean' | 'error'): string | undefined {
    if (end === 'clean' && (this.#open !== undefined || this.#hasFailed)) {
      return `${String(type)} comes before item ${String(this.#open)} is done`
    }
    if (end === 'clean' && response?.output?.length !== this.#items) {
      return `${String(type)} has ${response?.output?.length} items, and ${this.#items} were streamed`
    }
    this.#end = end
    return undefined
  }
}
