import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { JsonScanner } from '../../stream/json-scanner.ts'
import type { ChatContext } from './profile.ts'
import { type CallPiece, isEmptyPiece, readCallPiece } from './call-piece.ts'
import { WireFault, type WireObject } from './wire.ts'

/** More calls in one message than any client could run; a stream that has them is broken. */
const MAX_CALLS = 1000
/** How much of the arguments of calls that must wait is kept. */
const MAX_HELD_LENGTH = 16 * 1024 * 1024

/** One call while it is put together. */
interface Call {
  /** The upstream's id, '' until it came. */
  id: string
  name: string
  index: unknown
  /** The client's id, once the block is open. */
  clientId: string | undefined
  signature: string
  state: 'waiting' | 'open' | 'closed'
  /** Arguments that cannot go out yet. */
  held: string
  /** Some of the arguments are out, so the rest follows as it comes. */
  streamed: boolean
  scanner: JsonScanner
}

/**
 * Puts tool calls together from their pieces. The first call that is not complete streams as it comes,
 * the pieces of later ones wait: a client gets one block after the other, whatever the upstream interleaves.
 */
export class CallAssembler {
  readonly #context: ChatContext
  #calls: Call[] = []
  #latest: Call | undefined
  #open: Call | undefined
  #heldLength = 0

  constructor(context: ChatContext) {
    this.#context = context
  }

  /** How many calls were made. */
  get count(): number {
    return this.#calls.length
  }

  /** Whether a call is still being written, so that nothing else may be put in its place. */
  get unfinished(): boolean {
    return this.#calls.some(isUnfinished)
  }

  /** How many calls are still being written. */
  get unfinishedCount(): number {
    return this.#calls.filter(isUnfinished).length
  }

  /** Whether every call could be run: it has a name, and its arguments are one whole object or stand for none. */
  get allWhole(): boolean {
    return this.#calls.every((call) => call.name !== '' && isWhole(call))
  }

  /** Takes in one element of `tool_calls`, or a legacy `function_call` in the same form. */
  piece(delta: WireObject): void {
    const piece = readCallPiece(delta)
    const found = this.#find(piece)
    if (found === undefined && isEmptyPiece(piece)) return
    const call = found ?? this.#add(piece.index)
    this.#latest = call
    call.id ||= piece.id
    call.name ||= piece.name
    call.signature ||= piece.signature
    if (piece.json !== '') this.#absorb(call, piece.json)
    this.#advance()
  }

  /** Writes out whatever is there and closes it: nothing more is expected of these calls. */
  closeAll(): void {
    for (const call of this.#calls) {
      if (call.state === 'closed') continue
      if (call.state === 'waiting') this.#openBlock(call)
      this.#closeBlock(call)
    }
  }

  /** Drops calls that were cut off before their name came, which a token limit or a filter may do. */
  dropNameless(): void {
    const named = this.#calls.filter((call) => call.name !== '')
    if (named.length === this.#calls.length) return
    this.#calls = named
    this.#context.notes.add('call_dropped', 'tool_calls', 'a call was cut off before its name came')
  }

  /** Which call a piece belongs to: by its id, else by its index, else the latest one. */
  #find(piece: CallPiece): Call | undefined {
    const { id, name, index } = piece
    if (id === '' && name === '' && (index === undefined || this.#latest?.index === index))
      return this.#latest
    const sameId = id === '' ? undefined : this.#calls.find((call) => call.id === id)
    if (sameId !== undefined) return isAnother(sameId, piece) ? undefined : sameId
    return index === undefined ? undefined : this.#findByIndex(piece)
  }

  #findByIndex({ id, name, index, json }: CallPiece): Call | undefined {
    const same = this.#calls.findLast((call) => call.index === index)
    if (same === undefined || (id !== '' && same.id !== '')) return undefined
    // A name begins a call; only in calls that can still go on may it be a repetition.
    return name !== '' && isOver(same, json) ? undefined : same
  }

  #add(index: unknown): Call {
    if (this.#calls.length === MAX_CALLS)
      throw new WireFault('tool_calls', `at most ${MAX_CALLS} calls`, 'more')
    const call: Call = {
      id: '',
      name: '',
      index,
      clientId: undefined,
      signature: '',
      state: 'waiting',
      held: '',
      streamed: false,
      scanner: new JsonScanner(),
    }
    this.#calls.push(call)
    return call
  }

  #absorb(call: Call, json: string): void {
    if (call.state === 'closed') {
      if (json.trim() === '') return
      throw new WireFault(`the call ${call.id || call.name}`, 'complete', 'more arguments')
    }
    this.#dropPlaceholder(call, json)
    call.scanner.push(json)
    if (call.streamed) {
      this.#context.writer.inputJson(json)
      return
    }
    this.#hold(call, json)
    if (call.state === 'open') this.#release(call)
  }

  /** Some upstreams open a call with `{}` and send the real arguments afterwards. */
  #dropPlaceholder(call: Call, json: string): void {
    if (call.held.trim() !== '{}' || !json.trimStart().startsWith('{')) return
    this.#context.notes.add(
      'arguments_placeholder',
      'tool_calls',
      'an empty object before the arguments was dropped',
    )
    call.held = ''
    call.scanner = new JsonScanner()
  }

  #hold(call: Call, json: string): void {
    this.#heldLength += json.length
    if (this.#heldLength > MAX_HELD_LENGTH) {
      throw new WireFault('the arguments of waiting calls', `at most ${MAX_HELD_LENGTH} characters`, 'more')
    }
    call.held += json
  }

  /** Sends what an open call held back, unless it does not look like an object or may be a placeholder. */
  #release(call: Call): void {
    const { state } = call.scanner
    if (state === 'empty' || call.held.trim() === '{}') return
    if (state === 'invalid' && !call.held.trimStart().startsWith('{')) return
    this.#context.writer.inputJson(call.held)
    this.#heldLength -= call.held.length
    call.held = ''
    call.streamed = true
  }

  /** Opens the next call when none is open; its start waits for the id and the name. */
  #advance(): void {
    if (this.#open !== undefined) return
    const next = this.#calls.find((call) => call.state === 'waiting')
    if (next === undefined || next.id === '' || next.name === '') return
    this.#openBlock(next)
  }

  #openBlock(call: Call): void {
    if (call.name === '') throw new WireFault(`the name of the call ${call.id}`, 'a string', undefined)
    const { writer, reply, messageId } = this.#context
    const id = reply.callIds.claim(call.id, `${messageId}_${this.#calls.indexOf(call)}`)
    call.clientId = id
    this.#sign(call)
    writer.begin({ type: 'tool_use', id, name: reply.names.toClient(call.name) })
    call.state = 'open'
    this.#open = call
    this.#release(call)
  }

  #closeBlock(call: Call): void {
    const { writer } = this.#context
    if (!call.streamed) writer.inputJson(this.#settle(call))
    else if (call.scanner.state !== 'complete') this.#noteNoJson(call)
    writer.closeBlock()
    call.held = ''
    call.state = 'closed'
    this.#open = undefined
    this.#sign(call)
  }

  /** The input of a call whose arguments do not begin like an object. */
  #settle(call: Call): string {
    const { notes } = this.#context
    const text = call.held.trim()
    if (text === '' || text === '{}') return '{}'
    if (text === 'null') {
      notes.add(
        'arguments_null',
        'tool_calls',
        `the arguments of ${call.name} are null: an empty object instead`,
      )
      return '{}'
    }
    const unwrapped = unwrapString(text)
    if (unwrapped === undefined) {
      if (call.scanner.state !== 'complete') this.#noteNoJson(call)
      return call.held
    }
    notes.add(
      'arguments_unwrapped',
      'tool_calls',
      `the arguments of ${call.name} were JSON inside a JSON string`,
    )
    return unwrapped
  }

  #noteNoJson(call: Call): void {
    const message = `the arguments of ${call.name} are not one JSON object: passed on as they are`
    this.#context.notes.add('arguments_not_json', 'tool_calls', message)
  }

  /** Hides Gemini's signature of a call in the conversation, from where the next request takes it back. */
  #sign(call: Call): void {
    const { reply, writer, notes } = this.#context
    if (call.signature === '' || call.clientId === undefined) return
    if (!reply.profile.replaysThoughtSignatures) {
      notes.add('signature_dropped', 'tool_calls', 'the profile does not send the signature of a call back')
      return
    }
    writer.signature(sealEnvelope({ by: GEMINI, proof: call.signature, callId: call.clientId }))
    call.signature = ''
  }
}

/** The same id under another index is another call: some upstreams count from zero in every call. */
function isAnother(call: Call, { name, index }: CallPiece): boolean {
  return (
    name !== '' && call.name !== '' && index !== undefined && call.index !== undefined && call.index !== index
  )
}

function isUnfinished({ state, scanner }: Call): boolean {
  return state !== 'closed' && scanner.state !== 'complete'
}

/** Whether these arguments cannot belong to a call: Gemini sends one call after the other under the index 0. */
function isOver({ state, scanner, held }: Call, json: string): boolean {
  if (state === 'closed') return true
  return scanner.state === 'complete' && held.trim() !== '{}' && json.trimStart().startsWith('{')
}

function isWhole({ scanner, held }: Call): boolean {
  if (scanner.state === 'complete' || scanner.state === 'empty') return true
  return held.trim() === 'null' || unwrapString(held.trim()) !== undefined
}

/** The JSON object inside a JSON string, if that is what the text is. */
function unwrapString(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined
  try {
    const inner: unknown = JSON.parse(text)
    if (typeof inner !== 'string') return undefined
    const value: unknown = JSON.parse(inner)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? inner : undefined
  } catch {
    return undefined
  }
}
