import type { DecodeContext } from '../dialects/dialect.ts'
import { scanRun } from '../fast-text/scan-run.ts'
import type { TextRun } from '../fast-text/text-run.ts'
import { WireFault } from '../json/wire.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { JsonScanner } from './json-scanner.ts'
import { TextPieces } from './text-pieces.ts'

/** More calls in one message than any client could run; a stream that has them is broken. */
export const MAX_CALLS = 1000
/** What an engine needs to keep words in the queue, however short they are. */
const WORDS_COST = 128
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

/** What is no part of a call. */
interface Words<Kind extends string> {
  readonly kind: Kind
  readonly pieces: TextPieces
}

interface Call {
  readonly id: string
  readonly name: string
  readonly scanner: JsonScanner
  /** Input that cannot go out yet. */
  readonly held: TextPieces
  isOpen: boolean
  isStopped: boolean
}

/** What a queue needs of its dialect. */
interface QueueRules<Kind extends string> {
  /** The event of the upstream that holds pieces of calls, for faults and notes. */
  readonly path: string
  /** Writes words whose turn it is. */
  readonly write: (kind: Kind, piece: string) => void
}

/**
 * Brings what arrives to the writer as one block after the other, for upstreams that give each call an id and say
 * when it is complete. The first call that is not complete streams as it comes; everything that begins after it
 * waits for its turn, in the order in which it began.
 */
export class CallQueue<Kind extends string> {
  readonly #context: DecodeContext
  readonly #rules: QueueRules<Kind>
  readonly #calls = new Map<string, Call>()
  #queue: (Call | Words<Kind>)[] = []
  #heldLength = 0

  constructor(context: DecodeContext, rules: QueueRules<Kind>) {
    this.#context = context
    this.#rules = rules
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#calls.size
  }

  /** Whether a call is still being written. */
  get hasUnfinishedCall(): boolean {
    return this.#queue.some((item) => isCall(item) && !item.isStopped && item.scanner.state !== 'complete')
  }

  words(kind: Kind, piece: string): void {
    if (piece === '') return
    if (this.#queue.length === 0) {
      this.#rules.write(kind, piece)
      return
    }
    this.#hold(piece.length)
    const last = this.#queue.at(-1)
    // One long text takes far less room than many short ones.
    const isText = kind === 'text' || kind === 'thinking'
    if (isText && last !== undefined && !isCall(last) && last.kind === kind) last.pieces.push(piece)
    else this.#enqueue(kind, piece)
  }

  #enqueue(kind: Kind, piece: string): void {
    this.#hold(WORDS_COST)
    const pieces = new TextPieces()
    pieces.push(piece)
    this.#queue.push({ kind, pieces })
  }

  call(piece: CallPiece): void {
    const call = this.#calls.get(piece.id) ?? this.#begin(piece)
    if (piece.input !== '') this.#absorb(call, piece.input)
    if (piece.stop) call.isStopped = true
    this.#advance()
  }

  /**
   * Takes in pieces of a call's input that go to the client past this, still escaped. False if they have to be told
   * one by one: they are not of the call that streams.
   */
  pass(id: unknown, pieces: TextRun): boolean {
    const [first] = this.#queue
    if (first === undefined || !isCall(first) || first.id !== id) return false
    if (!first.isOpen || first.isStopped || first.scanner.state === 'empty') return false
    scanRun(first.scanner, pieces)
    return true
  }

  /** Nothing more comes: everything goes out as it is. */
  finish(): void {
    for (const item of this.#queue) if (isCall(item)) item.isStopped = true
    this.#advance()
  }

  #begin({ id, name }: CallPiece): Call {
    if (name === '') throw new WireFault(`${this.#rules.path}.name`, 'a name', 'nothing')
    if (this.#calls.size === MAX_CALLS)
      throw new WireFault('the answer', `one of at most ${MAX_CALLS} calls`, 'more')
    const scanner = new JsonScanner()
    const call: Call = {
      id,
      name,
      scanner,
      held: new TextPieces(),
      isOpen: false,
      isStopped: false,
    }
    this.#calls.set(id, call)
    this.#queue.push(call)
    return call
  }

  #absorb(call: Call, input: string): void {
    if (call.isStopped)
      throw new WireFault(`the call ${call.id.slice(0, MAX_SHOWN)}`, 'complete after its stop', 'more input')
    call.scanner.push(input)
    this.#hold(input.length)
    call.held.push(input)
  }

  /** Writes whatever is first in the queue, until something that has to wait. */
  #advance(): void {
    let done = 0
    for (const item of this.#queue) {
      if (isCall(item)) {
        this.#stream(item)
        if (!item.isStopped) break
        this.#close(item)
      } else {
        this.#heldLength -= item.pieces.length + WORDS_COST
        this.#rules.write(item.kind, item.pieces.take())
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
    this.#heldLength -= call.held.length
    writer.inputJson(call.held.take())
  }

  #close(call: Call): void {
    const { writer, notes } = this.#context
    if (call.scanner.state === 'empty') writer.inputJson('{}')
    else if (call.scanner.state !== 'complete') {
      const message = `the input of ${call.name} is not one JSON object: passed on as it is`
      notes.add('arguments_not_json', `${this.#rules.path}.input`, message)
    }
    this.#heldLength -= call.held.length
    call.held.take()
    writer.closeBlock()
  }

  #hold(length: number): void {
    this.#heldLength += length
    if (this.#heldLength <= MAX_EVENT_LENGTH) return
    throw new WireFault('what waits for a call', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  }
}

function isCall(item: Call | Words<string>): item is Call {
  return 'scanner' in item
}
