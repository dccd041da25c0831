import {
  blankBlock,
  type BlockHead,
  fillBlock,
  type HubContentBlock,
  type HubDelta,
  HubError,
  type HubStop,
  type HubToolResult,
  type HubUsage,
  type MessageHead,
  type MessageSink,
  type Note,
  Notes,
} from '@hydra/core'
import type { AnswerPart, CallPart, PartEvent } from './answer-part.ts'

/** What a tracker is given. */
export interface TrackerOptions {
  readonly onEvent?: ((event: PartEvent) => void) | undefined
  /** The ids that earlier calls of the conversation have: a call that comes with one of them gets another. */
  readonly usedIds?: ReadonlySet<string> | undefined
}

type Growing<Part> = { -readonly [Field in keyof Part]: Part[Field] }

/** A sink that collects what one iteration brings: text, thinking, calls as they grow, and the results of the calls. */
export class PartsTracker implements MessageSink {
  readonly #parts: Growing<AnswerPart>[] = []
  readonly #onEvent: (event: PartEvent) => void
  readonly #ids: Set<string>
  readonly #notes = new Notes()
  #open: Growing<AnswerPart> | undefined
  #head: MessageHead | undefined
  #stop: HubStop | undefined
  #usage: HubUsage | undefined
  #failure: HubError | undefined

  constructor({ onEvent = () => {}, usedIds = new Set() }: TrackerOptions = {}) {
    this.#onEvent = onEvent
    this.#ids = new Set(usedIds)
  }

  messageStart(head: MessageHead): void {
    if (!this.ended) this.#head = head
  }

  blockStart(head: BlockHead): void {
    if (this.ended) return
    this.blockStop()
    this.#open = newPart(this.#withFreeId(head))
    this.#parts.push(this.#open)
    this.#tell({ type: 'started', index: this.#parts.length - 1, part: this.#open })
  }

  text(delta: string): void {
    this.#grow(delta)
  }

  thinking(delta: string): void {
    this.#grow(delta)
  }

  inputJson(delta: string): void {
    this.#grow(delta)
  }

  signature(value: string): void {
    const block = this.ended ? undefined : this.#open?.block
    if (block?.type === 'thinking') block.signature = value
  }

  extra(delta: HubDelta): void {
    const block = this.ended ? undefined : this.#open?.block
    if (delta.type !== 'citations_delta' || block?.type !== 'text') return
    block.citations = [...(block.citations ?? []), delta.citation]
  }

  blockStop(): void {
    const part = this.#open
    if (this.ended || part === undefined) return
    this.#open = undefined
    fillBlock(part.block, part.text)
    part.isComplete = true
    this.#tell({ type: 'completed', index: this.#parts.length - 1, part })
  }

  messageStop(stop: HubStop, usage: HubUsage): void {
    if (this.ended) return
    this.blockStop()
    this.#stop = stop
    this.#usage = usage
  }

  /** Ends the message where it is; a part that is still open stays incomplete, with what has come of it. */
  error(error: HubError): void {
    if (this.ended) return
    this.#failure = error
  }

  /** Adds what a tool gave for one of the calls; each call has one result. */
  result(result: HubToolResult): void {
    const index = this.#parts.findIndex((part) => part.type === 'tool_call' && part.id === result.tool_use_id)
    const part = this.#parts[index]
    if (part?.type !== 'tool_call')
      throw unexpected(`there is no call ${result.tool_use_id} in this iteration`)
    if (part.result !== undefined) throw unexpected(`call ${result.tool_use_id} has its result already`)
    part.result = result
    this.#tell({ type: 'result', index, part })
  }

  /** All that came, in order. */
  get parts(): readonly AnswerPart[] {
    return this.#parts
  }

  /** The calls among the parts. */
  get calls(): readonly CallPart[] {
    return this.#parts.filter((part): part is Growing<CallPart> => part.type === 'tool_call')
  }

  /** What is known of the message from its start; absent before it. */
  get head(): MessageHead | undefined {
    return this.#head
  }

  /** Why the message ended, once it has ended well. */
  get stop(): HubStop | undefined {
    return this.#stop
  }

  /** What the message cost, once it has ended well. */
  get usage(): HubUsage | undefined {
    return this.#usage
  }

  /** What ended the message otherwise. */
  get failure(): HubError | undefined {
    return this.#failure
  }

  /** Whether the message is over; what a sender still tells after that is not heard. */
  get ended(): boolean {
    return this.#stop !== undefined || this.#failure !== undefined
  }

  get notes(): readonly Note[] {
    return this.#notes.list
  }

  #grow(delta: string): void {
    const part = this.#open
    if (this.ended || part === undefined || delta === '') return
    part.text += delta
    this.#tell({ type: 'delta', index: this.#parts.length - 1, part, delta })
  }

  #tell(event: PartEvent): void {
    this.#onEvent(event)
  }

  /** Results are paired by id alone, so an id that comes again would take the result of another call. */
  #withFreeId(head: BlockHead): BlockHead {
    if (head.type !== 'tool_use') return head
    const wanted = head.id === '' ? 'call' : head.id
    let id = wanted
    for (let count = 2; this.#ids.has(id); count += 1) id = `${wanted}_${count}`
    this.#ids.add(id)
    if (id === head.id) return head
    const said = head.id === '' ? 'came without an id' : `came with the id ${head.id} of an earlier call`
    this.#notes.add(
      'call_id_distinct',
      `content[${this.#parts.length}].id`,
      `the call ${said}: it is now ${id}`,
    )
    return { ...head, id }
  }
}

function newPart(head: BlockHead): Growing<AnswerPart> {
  const block: HubContentBlock = blankBlock(head)
  const common = { isComplete: false, block, text: '' }
  switch (head.type) {
    case 'text':
    case 'thinking':
      return { type: head.type, ...common }
    case 'tool_use':
      return { type: 'tool_call', id: head.id, name: head.name, ...common }
    case 'server_tool_use':
    case 'whole':
      return { type: 'other', ...common }
  }
}

function unexpected(message: string): HubError {
  return new HubError('invalid_request_error', message)
}
