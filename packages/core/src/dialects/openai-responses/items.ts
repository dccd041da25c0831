import type { TextRun } from '../../fast-text/text-run.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { WireFault, type WireObject, textAt } from '../../json/wire.ts'
import { CallItem, CustomCallItem } from './calls.ts'
import { headOf, holds, isNoReasoning, isOfType, kindOfPiece } from './item-kinds.ts'
import { MessageItem } from './message-item.ts'
import { missingItems } from './missing-items.ts'
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
  /** The item as it is at its end: what no event has brought is written now, and its block is closed. */
  done(item: WireObject): void
  /** So many characters of the text that an event is about went to the client past this. */
  unread?(event: WireObject, length: number): void
  /** Takes in pieces of arguments that go to the client past this, if they need no look each. */
  pass?(pieces: TextRun): boolean
  /** Nothing that a client must have comes any more, though the end has not come. */
  readonly isSaid?: boolean
}

/** One item of an answer. */
interface Item {
  /** The item as it was when it began. */
  readonly head: WireObject
  readonly index: unknown
  teller: ItemTeller | undefined
  /** What came while another item was being written. */
  held: { readonly type: string; readonly event: WireObject }[]
  final: WireObject | undefined
  /** Its server did not say that it is over: something came after it. */
  isPresumed: boolean
}

/** An event of an item with what it takes to find the item. */
export interface ItemEvent {
  /** Without `response.`. */
  readonly type: string
  readonly event: WireObject
  /** How long the event was, which counts against the limit of what is held. */
  readonly length: number
}

/**
 * The items of an answer. The first one that is not complete is written as it comes, the events of later ones wait:
 * a client gets one block after the other, however the upstream interleaves them.
 */
export class Items {
  readonly #context: ResponsesContext
  readonly #items: Item[] = []
  /** The latest item of each index and of each id, its own or its call's. */
  readonly #byIndex = new Map<unknown, Item>()
  readonly #byId = new Map<unknown, Item>()
  /** How many of the items are complete and written. */
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
    const { output_index } = event
    if (known !== undefined && known.final === undefined && isSame(known, { ...item, output_index })) return
    this.#add(event, item)
    this.#advance()
  }

  /** A piece of an item; where no event began the item, its first piece of content does. */
  event(piece: ItemEvent): void {
    const { type, event } = piece
    const kind = kindOfPiece(type)
    const owner = this.#ownerOf(event, kind)
    // A thought that goes on after all goes on behind what follows it.
    const isKnown = owner !== undefined && !(owner.isPresumed && type.endsWith('.delta'))
    const item = isKnown ? owner : kind && this.#add(event, headOf(kind))
    if (!item) this.#noteIgnored(type, 'an event of no item was left out')
    else if (item.final === undefined) this.#take(item, piece)
    else if (!item.isPresumed) this.#noteIgnored(type, 'a piece of an item came after its end')
  }

  /** Whether the item of an event is the one that is being written, and is not over. */
  isBeingWritten({ type, event }: Pick<ItemEvent, 'type' | 'event'>): boolean {
    const item = this.#ownerOf(event, kindOfPiece(type))
    return item !== undefined && item === this.#items[this.#told] && item.final === undefined
  }

  /** A further piece of the arguments of the call that an event is about, which is being written. */
  more(event: WireObject, delta: string): void {
    this.#find(event)?.teller?.event('function_call_arguments.delta', { delta })
  }

  /** Further pieces of these arguments, still escaped; false if they have to be told one by one. */
  pass(event: WireObject, pieces: TextRun): boolean {
    return this.#find(event)?.teller?.pass?.(pieces) === true
  }

  /** So many characters of the text that an event is about went to the client past this. */
  unread(event: WireObject, length: number): void {
    this.#ownerOf(event, 'message')?.teller?.unread?.(event, length)
  }

  /** An item is complete. */
  done(event: WireObject, final: WireObject): void {
    const known = this.#named(event, final).filter(({ head }) => isOfType(head, final['type']))
    if (known.some(({ isPresumed }) => isPresumed)) {
      const message = 'the proof of a thought came after what follows it'
      if (final['encrypted_content']) this.#context.notes.addOnce('item_ignored', 'output.reasoning', message)
      return
    }
    const item = known.find((begun) => begun.final === undefined) ?? this.#add(event, final)
    item.final = final
    this.#advance()
  }

  /** Nothing more comes: items that were never completed are, with what the whole answer says of them. */
  finish(output: readonly unknown[]): void {
    for (const item of this.#items) item.final ??= finalIn(output, item)
    this.#advance()
    const told = this.#items.map(({ head, final = head }) => final)
    for (const item of missingItems(output, told)) this.#add({}, item).final = item
    this.#advance()
    if (told.every(isNoReasoning) && !output.every(isNoReasoning)) this.#noteLate()
  }

  #noteIgnored(type: string, message: string): void {
    this.#context.notes.addOnce('event_ignored', type, message)
  }

  #take(item: Item, { type, event, length }: ItemEvent): void {
    if (item.teller !== undefined) {
      item.teller.event(type, event)
      return
    }
    item.held.push({ type, event })
    this.#heldLength += length
    if (this.#heldLength > MAX_HELD_LENGTH) {
      throw new WireFault('the items that wait', `at most ${MAX_HELD_LENGTH} characters`, 'more')
    }
    if (kindOfPiece(type) !== undefined) this.#presumeOver(item)
    this.#advance()
  }

  /** Reasoning stands before what it led to, where nothing can be put any more. */
  #noteLate(): void {
    const message = 'an item that only the last event has comes too late for its place'
    this.#context.notes.addOnce('item_ignored', 'output.reasoning', message)
  }

  /** What follows a thought ends it where that is known to lose nothing: some servers end it last of all, or never. */
  #presumeOver(waiting: Item): void {
    const first = this.#items[this.#told]
    if (first === undefined || first === waiting || first.teller?.isSaid !== true) return
    first.final = first.head
    first.isPresumed = true
  }

  #add(event: WireObject, head: WireObject): Item {
    if (this.#items.length === MAX_ITEMS) throw new WireFault('output', `at most ${MAX_ITEMS} items`, 'more')
    const item: Item = {
      head,
      index: event['output_index'],
      teller: undefined,
      held: [],
      final: undefined,
      isPresumed: false,
    }
    this.#items.push(item)
    this.#byIndex.set(item.index, item)
    for (const id of [event['item_id'], head['id'], head['call_id']]) {
      if (typeof id === 'string') this.#byId.set(id, item)
    }
    return item
  }

  /** The items that an end may mean, the likeliest first: llama.cpp tells no index, and of calls their call's id alone. */
  #named(event: WireObject, { id, call_id: call }: WireObject): readonly Item[] {
    const isPlaced = typeof event['output_index'] === 'number' || typeof event['item_id'] === 'string'
    const byId = [id, call].map((name) => (typeof name === 'string' ? this.#byId.get(name) : undefined))
    const found = this.#find(event)
    const list = isPlaced ? [found, ...byId] : byId.some(Boolean) ? byId : [found]
    return list.filter((item) => item !== undefined)
  }

  /**
   * By its index, because some upstreams change the id of an item on the way; else by its id, because others (vLLM)
   * tell of its end under the next index; else the latest.
   */
  #find(event: WireObject): Item | undefined {
    const { output_index: index, item_id: id } = event
    const [isPlaced, isNamed] = [typeof index === 'number', typeof id === 'string']
    if (!isPlaced && !isNamed) return this.#items.at(-1)
    const found = isPlaced ? this.#byIndex.get(index) : undefined
    return found ?? (isNamed ? this.#byId.get(id) : undefined)
  }

  /** The item that a piece belongs to: some servers give a thought and the text after it one index, or none. */
  #ownerOf(event: WireObject, kind: string | undefined): Item | undefined {
    const found = this.#find(event)
    if (found === undefined || kind === undefined || holds(found.head, kind)) return found
    const { output_index: index, item_id: id } = event
    if (typeof id !== 'string')
      return typeof index === 'number' ? undefined : this.#items.findLast(({ head }) => holds(head, kind))
    const other = this.#byId.get(id)
    return other !== undefined && holds(other.head, kind) ? other : undefined
  }

  /** Tells the first item that is not complete, and goes on to the next one once it is. */
  #advance(): void {
    for (; this.#told < this.#items.length; this.#told += 1) {
      const item = this.#items[this.#told] as Item
      // What began with a piece that says nothing of its kind is known at its end.
      if (item.head['type'] === undefined && item.final === undefined) return
      item.teller ??= this.#tellerFor(item)
      const { held } = item
      item.held = []
      for (const { type, event } of held) item.teller.event(type, event)
      if (item.teller === SILENT) continue
      if (item.final === undefined) return
      item.teller.done(item.final)
    }
    this.#heldLength = 0
  }

  #tellerFor({ head: begun, final }: Item): ItemTeller {
    const head = begun['type'] === undefined && final !== undefined ? final : begun
    const kind = textAt(head['type'], 'output[].type')
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

/** Whether an item that is said to begin is the one that has begun already: some servers give all the same index. */
function isSame({ index, head }: Item, { output_index: told, type, call_id: call }: WireObject): boolean {
  if (typeof told !== 'number' || index !== told) return false
  return isOfType(head, type) && (!head['call_id'] || !call || head['call_id'] === call)
}

/** What the whole answer says of an item that was never completed. */
function finalIn(output: readonly unknown[], { index, head }: Item): WireObject {
  const found = typeof index === 'number' ? output[index] : undefined
  return isJsonObject(found) && found['type'] === (head['type'] ?? found['type']) ? found : head
}
