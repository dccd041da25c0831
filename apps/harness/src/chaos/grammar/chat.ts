import { readWireEvents, type WireEvent } from './events.ts'
import type { GrammarResult } from './grammar.ts'

interface Chunk {
  readonly object?: unknown
  readonly id?: unknown
  readonly choices?: readonly Choice[]
  readonly usage?: unknown
  readonly error?: { readonly message?: unknown }
}

interface Choice {
  readonly index?: unknown
  readonly delta?: { readonly tool_calls?: readonly ToolCall[] }
  readonly finish_reason?: unknown
}

interface ToolCall {
  readonly index?: unknown
  readonly id?: unknown
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown }
}

/** Checks `chunk* finish usage? [DONE]`, or an error in the place of what is missing. */
export function checkChatGrammar(output: string): GrammarResult {
  const events = readWireEvents(output)
  if (typeof events === 'string') return { violation: events }
  const state = new ChunkState()
  for (const event of events) {
    const violation = state.read(event)
    if (violation !== undefined) return { violation }
  }
  return state.result()
}

class ChunkState {
  #place: 'open' | 'finished' | 'done' | 'failed' = 'open'
  #id: unknown
  readonly #calls = new Set<unknown>()

  result(): GrammarResult {
    if (this.#place === 'done') return { end: 'clean' }
    return this.#place === 'failed' ? { end: 'error' } : { violation: 'it has no end' }
  }

  read({ name, data }: WireEvent): string | undefined {
    if (name !== undefined) return `an event has the name ${name}`
    if (this.#place === 'done' || this.#place === 'failed') return 'something comes after the end'
    if (data === '[DONE]') {
      if (this.#place !== 'finished') return '[DONE] comes before a finish_reason'
      this.#place = 'done'
      return undefined
    }
    const chunk = data as Chunk
    return chunk.error === undefined ? this.#chunk(chunk) : this.#error(chunk.error)
  }

  #chunk({ object, id, choices }: Chunk): string | undefined {
    if (object !== 'chat.completion.chunk') return `a chunk is a ${String(object)}`
    this.#id ??= id
    if (typeof id !== 'string' || id !== this.#id) return `a chunk has the id ${String(id)}`
    if (!Array.isArray(choices)) return 'a chunk has no choices'
    const [choice] = choices as readonly Choice[]
    return choice === undefined ? undefined : this.#choice(choice)
  }

  #error({ message }: NonNullable<Chunk['error']>): string | undefined {
    if (this.#place === 'finished') return 'an error comes after a finish_reason'
    if (typeof message !== 'string' || message === '') return 'an error says nothing'
    this.#place = 'failed'
    return undefined
  }

  #choice({ index, delta, finish_reason: finish }: Choice): string | undefined {
    if (index !== 0) return `there is a choice ${String(index)}`
    if (this.#place === 'finished') return 'a choice comes after its finish_reason'
    for (const call of delta?.tool_calls ?? []) {
      const violation = this.#calls.has(call.index) ? undefined : this.#call(call)
      if (violation !== undefined) return violation
    }
    if (!finish) return undefined
    if (finish === 'tool_calls' && this.#calls.size === 0) return 'it stops for a call it has not'
    this.#place = 'finished'
    return undefined
  }

  #call({ index, id, function: called }: ToolCall): string | undefined {
    if (index !== this.#calls.size) return `call ${String(index)} is out of order`
    if (!id || !called?.name) return `call ${String(index)} has no id or no name`
    this.#calls.add(index)
    return undefined
  }
}
