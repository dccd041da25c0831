import { JsonScanner } from '../../stream/json-scanner.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import type { QContext } from './profile.ts'
import { WireFault } from './wire.ts'

/** More calls in one message than any client could run; a stream that has them is broken. */
const MAX_CALLS = 1000
/** How much of an id an error shows. */
const MAX_SHOWN = 64

/** One piece of a call. */
export interface CallPiece {
  readonly id: string
  readonly name: string
  /** A piece of the input's JSON. */
  readonly input: string
  /** Nothing more of this call follows. */
  readonly stop: boolean
}

/** Words that are no part of a call. */
type WordKind = 'text' | 'thinking' | 'signature' | 'redacted'

interface Words {
  readonly kind: WordKind
  piece: string
}

interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  readonly scanner: JsonScanner
  /** Input that cannot go out yet. */
  held: string
  isOpen: boolean
  isStopped: boolean
}

/**
 * Brings what arrives to the writer as one block after the other. The first call that is not complete streams as it
 * comes; whatever begins after it waits for its turn, in the order in which it began.
 */
export class Outflow {
  readonly #context: QContext
  readonly #calls = new Map<string, Call>()
  #queue: (Call | Words)[] = []
  #heldLength = 0

  constructor(context: QContext) {
    this.#context = context
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#calls.size
  }

  /** Whether a call is still being written. */
  get hasUnfinishedCall(): boolean {
    return this.#queue.some(
      (item) => item.kind === 'call' && !item.isStopped && item.scanner.state !== 'complete',
    )
  }

  words(kind: WordKind, piece: string): void {
    if (piece === '') return
    if (this.#queue.length === 0) {
      this.#write({ kind, piece })
      return
    }
    this.#hold(piece)
    const last = this.#queue.at(-1)
    // One long text takes far less room than many short ones.
    if (last?.kind === kind && (last.kind === 'text' || last.kind === 'thinking')) last.piece += piece
    else this.#queue.push({ kind, piece })
  }

  call(piece: CallPiece): void {
    const call = this.#calls.get(piece.id) ?? this.#begin(piece)
    if (piece.input !== '') this.#absorb(call, piece.input)
    if (piece.stop) call.isStopped = true
    this.#advance()
  }

  /** Nothing more comes: everything goes out as it is. */
  finish(): void {
    for (const item of this.#queue) if (item.kind === 'call') item.isStopped = true
    this.#advance()
  }

  #begin({ id, name }: CallPiece): Call {
    if (name === '') throw new WireFault('toolUseEvent.name', 'a name', 'nothing')
    if (this.#calls.size === MAX_CALLS)
      throw new WireFault('the answer', `one of at most ${MAX_CALLS} calls`, 'more')
    const scanner = new JsonScanner()
    const call: Call = { kind: 'call', id, name, scanner, held: '', isOpen: false, isStopped: false }
    this.#calls.set(id, call)
    this.#queue.push(call)
    return call
  }

  #absorb(call: Call, input: string): void {
    if (call.isStopped)
      throw new WireFault(`the call ${call.id.slice(0, MAX_SHOWN)}`, 'complete after its stop', 'more input')
    call.scanner.push(input)
    this.#hold(input)
    call.held += input
  }

  /** Writes whatever is first in the queue, until something that has to wait. */
  #advance(): void {
    let done = 0
    for (const item of this.#queue) {
      if (item.kind === 'call') {
        this.#stream(item)
        if (!item.isStopped) break
        this.#close(item)
      } else {
        this.#heldLength -= item.piece.length
        this.#write(item)
      }
      done += 1
    }
    if (done > 0) this.#queue = this.#queue.slice(done)
  }

  /** Sends what there is of a call, as soon as it is more than white space. */
  #stream(call: Call): void {
    const { writer, reply, messageId } = this.#context
    if (!call.isOpen) {
      const id = reply.callIds.claim(call.id, `${messageId}_${this.#calls.size}`)
      writer.begin({ type: 'tool_use', id, name: reply.names.toClient(call.name) })
      call.isOpen = true
    }
    if (call.scanner.state === 'empty') return
    writer.inputJson(call.held)
    this.#heldLength -= call.held.length
    call.held = ''
  }

  #close(call: Call): void {
    const { writer, notes } = this.#context
    if (call.scanner.state === 'empty') writer.inputJson('{}')
    else if (call.scanner.state !== 'complete') {
      notes.add(
        'arguments_not_json',
        'toolUseEvent.input',
        `the input of ${call.name} is not one JSON object: passed on as it is`,
      )
    }
    this.#heldLength -= call.held.length
    call.held = ''
    writer.closeBlock()
  }

  #write({ kind, piece }: Words): void {
    const { writer } = this.#context
    if (kind !== 'redacted') {
      writer[kind](piece)
      return
    }
    writer.begin({ type: 'whole', block: { type: 'redacted_thinking', data: piece } })
    writer.closeBlock()
  }

  #hold(piece: string): void {
    this.#heldLength += piece.length
    if (this.#heldLength <= MAX_EVENT_LENGTH) return
    throw new WireFault('what waits for a call', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  }
}
