import { WireFault, type WireObject, textAt } from '../../json/wire.ts'
import { CallItem, CustomCallItem } from './calls.ts'
import { MessageItem } from './message-item.ts'
import type { ResponsesContext } from './profile.ts'
import { SearchItem } from './search-item.ts'
import { ReasoningItem } from './thinking.ts'

/** More items in one answer than any model makes; a stream that has them is broken. */
const MAX_ITEMS = 10_000
/** How much of items that must wait is kept. */
const MAX_HELD_LENGTH = 16 * 1024 * 1024

/** What becomes of one kind of item while its events come in. */
export interface ItemTeller {
  /** An event that belongs to the item, by its type without `response.`. */
  event(type: string, event: WireObject): void
  /** The item as it is at its end: whatever no event has told is told now, and its block is closed. */
  done(item: WireObject): void
}

/** One item of an answer. */
interface Item {
  /** The item as it was when it began. */
  readonly head: WireObject
  readonly index: unknown
  readonly id: unknown
  teller: ItemTeller | undefined
  /** What came while another item was being told. */
  held: { readonly type: string; readonly event: WireObject }[]
  final: WireObject | undefined
}

/** An event of an item with what it takes to find the item. */
export interface ItemEvent {
  /** Without `response.`. */
  readonly type: string
  readonly event: WireObject
  /** How long the event was, for whoever has to keep it. */
  readonly length: number
}

/**
 * The items of an answer. The first one that is not complete is told as it comes, the events of later ones wait:
 * a client gets one block after the other, however the upstream interleaves them.
 */
export class Items {
  readonly #context: ResponsesContext
  readonly #items: Item[] = []
  /** How many of the items are complete and told. */
  #told = 0
  #heldLength = 0
  #calls = 0

  constructor(context: ResponsesContext) {
    this.#context = context
  }

  get count(): number {
    return this.#items.length
  }

  /** How many calls the client has to run. */
  get calls(): number {
    return this.#calls
  }

  /** An item begins. One that is said to begin twice is the same. */
  added(event: WireObject, item: WireObject): void {
    const known = this.#find(event)
    if (known !== undefined && known.final === undefined && isSame(known, event)) return
    this.#add(event, item)
    this.#advance()
  }

  /** A piece of an item; where nobody said that the item begins, its first piece does. */
  event({ type, event, length }: ItemEvent): void {
    const item = this.#find(event) ?? this.#add(event, { type: kindOf(type) })
    if (item.final !== undefined) {
      this.#context.notes.addOnce('event_ignored', type, 'a piece of an item came after its end')
      return
    }
    if (item.teller !== undefined) {
      item.teller.event(type, event)
      return
    }
    item.held.push({ type, event })
    this.#heldLength += length
    if (this.#heldLength > MAX_HELD_LENGTH) {
      throw new WireFault('the items that wait', `at most ${MAX_HELD_LENGTH} characters`, 'more')
    }
    this.#advance()
  }

  /** An item is complete. */
  done(event: WireObject, final: WireObject): void {
    const known = this.#find(event)
    const item = known === undefined || known.final !== undefined ? this.#add(event, final) : known
    item.final = final
    this.#advance()
  }

  /** Nothing more comes: items that were never completed are, with what the whole answer says of them. */
  finish(output: readonly unknown[]): void {
    for (const item of this.#items) item.final ??= finalIn(output, item)
    this.#advance()
  }

  #add(event: WireObject, head: WireObject): Item {
    if (this.#items.length === MAX_ITEMS) throw new WireFault('output', `at most ${MAX_ITEMS} items`, 'more')
    const item: Item = {
      head,
      index: event['output_index'],
      id: event['item_id'] ?? head['id'],
      teller: undefined,
      held: [],
      final: undefined,
    }
    this.#items.push(item)
    return item
  }

  /** By its index, because some upstreams change the id of an item on the way; else by its id, else the latest. */
  #find(event: WireObject): Item | undefined {
    const { output_index: index, item_id: id } = event
    if (typeof index === 'number') return this.#items.findLast((item) => item.index === index)
    if (typeof id === 'string') return this.#items.findLast((item) => item.id === id)
    return this.#items.at(-1)
  }

  /** Tells the first item that is not complete, and goes on to the next one once it is. */
  #advance(): void {
    for (; this.#told < this.#items.length; this.#told += 1) {
      const item = this.#items[this.#told] as Item
      item.teller ??= this.#tellerFor(item)
      const { held } = item
      item.held = []
      for (const { type, event } of held) item.teller.event(type, event)
      if (item.final === undefined) return
      item.teller.done(item.final)
    }
    this.#heldLength = 0
  }

  #tellerFor({ head, final }: Item): ItemTeller {
    const kind = textAt(head['type'] ?? final?.['type'], 'output[].type')
    const context = this.#context
    switch (kind) {
      case 'message':
        return new MessageItem(context)
      case 'reasoning':
        return new ReasoningItem(context)
      case 'function_call':
        return this.#counted(new CallItem(head, this.#calls, context))
      case 'custom_tool_call':
        return this.#customCall(head, final)
      case 'web_search_call':
        return new SearchItem(context)
      default:
        return this.#unknown(kind)
    }
  }

  /** A custom call of a tool that was never offered is one that the upstream runs itself, as xAI does. */
  #customCall(head: WireObject, final: WireObject | undefined): ItemTeller {
    const name = textAt(head['name'] ?? final?.['name'], 'output[].name')
    if (!this.#context.reply.names.isOffered(name)) return this.#unknown('custom_tool_call')
    return this.#counted(new CustomCallItem(head, this.#calls, this.#context))
  }

  #counted(teller: ItemTeller): ItemTeller {
    this.#calls += 1
    return teller
  }

  #unknown(kind: string): ItemTeller {
    const message = `an item of the type ${kind} has no equivalent and was left out`
    this.#context.notes.add('item_ignored', `output.${kind}`, message)
    return SILENT
  }
}

const SILENT: ItemTeller = { event: () => undefined, done: () => undefined }

/** Whether an item that is said to begin is the one that has begun already. */
function isSame(item: Item, event: WireObject): boolean {
  return typeof event['output_index'] === 'number' && item.index === event['output_index']
}

/** The kind of item that a piece belongs to. */
function kindOf(type: string): string {
  if (type.startsWith('output_text') || type.startsWith('refusal')) return 'message'
  if (type.startsWith('reasoning')) return 'reasoning'
  return type.startsWith('function_call_arguments') ? 'function_call' : type
}

/** What the whole answer says of an item that was never completed. */
function finalIn(output: readonly unknown[], { index, head }: Item): WireObject {
  const found = typeof index === 'number' ? output[index] : undefined
  const isIt = typeof found === 'object' && found !== null && (found as WireObject)['type'] === head['type']
  return isIt ? (found as WireObject) : head
}
