import { GatheredText } from '../../fast-text/gathered-text.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import { parseInput } from '../../stream/collect.ts'
import { StringInput } from '../../stream/string-input.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { ClientTool } from './client-tools.ts'
import { type DeltaFrame, deltaFrame, type EventOutput, fieldsOf } from './event-output.ts'
import type { OutputItem } from './wire.ts'

/** Whether an item came to its end, or the answer ended in the middle of it. */
export type ItemStatus = 'completed' | 'incomplete'

/** An item of an answer while it is written. */
export interface ItemWriter {
  /** A piece of its content, as the hub has it. */
  delta(piece: string): void
  /** Writes what is left to say of it, and gives the whole item. */
  close(status: ItemStatus): OutputItem
}

/** Where an item goes. */
export interface ItemPlace {
  readonly out: EventOutput
  readonly id: string
  readonly index: number
}

/** Tells that an item begins. */
export function openItem({ out, index }: ItemPlace, item: object): void {
  out.event('response.output_item.added', fieldsOf({ output_index: index, item }))
}

/** Tells that an item is whole. */
export function closeItem<Item extends object>({ out, index }: ItemPlace, item: Item): Item {
  out.event('response.output_item.done', fieldsOf({ output_index: index, item }))
  return item
}

/** A call of a tool: its id is the client's. */
export interface CallHead {
  readonly callId: string
  readonly tool: ClientTool
}

/** The writer of a call, in the form that the client has for its tool. */
export function callWriter(place: ItemPlace, head: CallHead): ItemWriter {
  switch (head.tool.kind) {
    case 'function':
      return new FunctionCallWriter(place, head)
    case 'custom':
      return new CustomCallWriter(place, head)
    default:
      return new BuiltInCallWriter(place, head)
  }
}

/** The prefix of the ids of each kind of call. */
export const CALL_PREFIXES: Readonly<Record<ClientTool['kind'], string>> = {
  function: 'fc',
  custom: 'ctc',
  local_shell: 'lsh',
  shell: 'sh',
  apply_patch: 'apc',
  tool_search: 'tsc',
}

function nameFields({ tool, callId }: CallHead): object {
  const { name, namespace } = tool
  return { call_id: callId, name, ...(namespace !== undefined && { namespace }) }
}

function itemFields({ id, index }: ItemPlace): object {
  return { item_id: id, output_index: index }
}

/** Writes the call of a function. */
export class FunctionCallWriter implements ItemWriter {
  readonly #place: ItemPlace
  readonly #head: CallHead
  readonly #frame: DeltaFrame
  readonly #json = new GatheredText()

  constructor(place: ItemPlace, head: CallHead) {
    this.#place = place
    this.#head = head
    this.#frame = deltaFrame('response.function_call_arguments.delta', itemFields(place))
    openItem(place, this.#item('', 'in_progress'))
  }

  delta(piece: string): void {
    this.#json.push(piece)
    this.#place.out.delta(this.#frame, JSON.stringify(piece))
  }

  /** Pieces that are still escaped. */
  escapedRun(pieces: TextRun): void {
    this.#json.pushRun(pieces)
    this.#place.out.deltas(this.#frame, pieces)
  }

  close(status: ItemStatus): OutputItem {
    // Codex reads nothing as a broken call.
    if (this.#json.isEmpty) this.delta('{}')
    const json = this.#json.text
    const done = { ...itemFields(this.#place), name: this.#head.tool.name, arguments: json }
    this.#place.out.event('response.function_call_arguments.done', fieldsOf(done))
    return closeItem(this.#place, this.#item(json, status))
  }

  #item(json: string, status: ItemStatus | 'in_progress') {
    const { id } = this.#place
    const head = nameFields(this.#head) as { call_id: string; name: string }
    return { type: 'function_call' as const, id, ...head, arguments: json, status }
  }
}

class CustomCallWriter implements ItemWriter {
  readonly #place: ItemPlace
  readonly #head: CallHead
  readonly #frame: DeltaFrame
  readonly #input = new StringInput()
  #text = ''

  constructor(place: ItemPlace, head: CallHead) {
    this.#place = place
    this.#head = head
    this.#frame = deltaFrame('response.custom_tool_call_input.delta', itemFields(place))
    openItem(place, this.#item('', 'in_progress'))
  }

  delta(piece: string): void {
    this.#write(this.#input.push(piece))
  }

  close(status: ItemStatus): OutputItem {
    this.#write(this.#input.end())
    const done = { ...itemFields(this.#place), input: this.#text }
    this.#place.out.event('response.custom_tool_call_input.done', fieldsOf(done))
    return closeItem(this.#place, this.#item(this.#text, status))
  }

  #write(text: string): void {
    if (text === '') return
    this.#text += text
    this.#place.out.delta(this.#frame, JSON.stringify(text))
  }

  #item(input: string, status: ItemStatus | 'in_progress') {
    const { id } = this.#place
    const head = nameFields(this.#head) as { call_id: string; name: string }
    return { type: 'custom_tool_call' as const, id, ...head, input, status }
  }
}

/** Calls whose content is an object of the item: it is known when all of it has come. */
class BuiltInCallWriter implements ItemWriter {
  readonly #place: ItemPlace
  readonly #head: CallHead
  #json = ''

  constructor(place: ItemPlace, head: CallHead) {
    this.#place = place
    this.#head = head
    openItem(place, this.#item({}, 'in_progress'))
  }

  delta(piece: string): void {
    this.#json += piece
  }

  close(status: ItemStatus): OutputItem {
    const input = parseInput(this.#json)
    return closeItem(this.#place, this.#item(isJsonObject(input) ? input : {}, status))
  }

  #item(input: JsonObject, status: ItemStatus | 'in_progress'): OutputItem {
    const { kind } = this.#head.tool
    const head = { id: this.#place.id, call_id: this.#head.callId, status }
    const item = { type: `${kind}_call`, ...head, ...BODIES[kind as keyof typeof BODIES](input) }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the model wrote is the client's to check
    return item as unknown as OutputItem
  }
}

const BODIES = {
  local_shell: (input: JsonObject): object => ({ action: { type: 'exec', command: [], env: {}, ...input } }),
  shell: (input: JsonObject): object => ({
    action: { commands: [], max_output_length: null, timeout_ms: null, ...input },
    environment: null,
  }),
  apply_patch: (input: JsonObject): object => ({
    operation: { type: 'update_file', path: '', diff: '', ...input },
  }),
  tool_search: (input: JsonObject): object => ({ arguments: input, execution: 'client' }),
}
