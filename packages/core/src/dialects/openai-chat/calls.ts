import { scanRun } from '../../fast-text/scan-run.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import { GEMINI, sealEnvelope } from '../../identity/envelope.ts'
import { MAX_CALLS } from '../../stream/call-queue.ts'
import { JsonScanner } from '../../stream/json-scanner.ts'
import { type AssembledCall, isUnfinished, isWhole, newCall, unwrapString } from './assembled-call.ts'
import type { ChatContext } from './profile.ts'
import { FREE_TEXT, isEmptyPiece, readCallPiece } from './call-piece.ts'
import { findCall } from './find-call.ts'
import { WireFault, type WireObject } from '../../json/wire.ts'

/** How much of the arguments of calls that must wait is kept. */
const MAX_HELD_LENGTH = 16 * 1024 * 1024

/**
 * Puts tool calls together from their pieces. The first call that is not complete streams as it comes,
 * the pieces of later ones wait: a client gets one block after the other, whatever the upstream interleaves.
 */
export class CallAssembler {
  readonly #context: ChatContext
  #calls: AssembledCall[] = []
  #latest: AssembledCall | undefined
  #open: AssembledCall | undefined
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
    const found = findCall(piece, {
      calls: this.#calls,
      latest: this.#latest,
      names: this.#context.reply.names,
    })
    if (found === undefined && isEmptyPiece(piece)) return
    const call = found ?? this.#add(piece.index)
    this.#latest = call
    call.id ||= piece.id
    call.latestId = piece.id || call.latestId
    call.name ||= piece.name
    call.signature ||= piece.signature
    if (piece.isFreeText && !call.isFreeText) this.#absorb(call, FREE_TEXT.start)
    call.isFreeText ||= piece.isFreeText
    if (piece.json !== '') this.#absorb(call, piece.json)
    this.#advance()
  }

  /**
   * Takes in pieces of arguments that go to the client past this, still escaped. False if they have to be told one by
   * one: they are not of the call that streams.
   */
  pass(index: unknown, pieces: TextRun): boolean {
    const call = this.#latest
    if (call === undefined || call !== this.#open || call.index !== index || !call.streamed) return false
    scanRun(call.scanner, pieces)
    return true
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

  #add(index: unknown): AssembledCall {
    if (this.#calls.length === MAX_CALLS)
      throw new WireFault('tool_calls', `at most ${MAX_CALLS} calls`, 'more')
    const call = newCall(index)
    this.#calls.push(call)
    return call
  }

  #absorb(call: AssembledCall, json: string): void {
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
  #dropPlaceholder(call: AssembledCall, json: string): void {
    if (!call.held.is('{}') || !json.trimStart().startsWith('{')) return
    this.#context.notes.add(
      'arguments_placeholder',
      'tool_calls',
      'an empty object before the arguments was dropped',
    )
    this.#heldLength -= call.held.length
    call.held.take()
    call.scanner = new JsonScanner()
  }

  #hold(call: AssembledCall, json: string): void {
    this.#heldLength += json.length
    if (this.#heldLength > MAX_HELD_LENGTH) {
      throw new WireFault('the arguments of waiting calls', `at most ${MAX_HELD_LENGTH} characters`, 'more')
    }
    call.held.push(json)
  }

  /** Sends what an open call held back, unless it does not look like an object or may be a placeholder. */
  #release(call: AssembledCall): void {
    const { state } = call.scanner
    if (state === 'empty' || call.held.is('{}')) return
    if (state === 'invalid' && !call.held.beginsWith('{')) return
    this.#heldLength -= call.held.length
    this.#context.writer.inputJson(call.held.take())
    call.streamed = true
  }

  /** Opens the next call when none is open; its start waits for the id and the name. */
  #advance(): void {
    if (this.#open !== undefined) return
    const next = this.#calls.find((call) => call.state === 'waiting')
    if (next === undefined || next.id === '' || next.name === '') return
    this.#openBlock(next)
  }

  #openBlock(call: AssembledCall): void {
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

  #closeBlock(call: AssembledCall): void {
    const { writer } = this.#context
    if (call.isFreeText) this.#absorb(call, FREE_TEXT.end)
    if (!call.streamed) writer.inputJson(this.#settle(call))
    else if (call.scanner.state !== 'complete') this.#noteNoJson(call)
    writer.closeBlock()
    this.#heldLength -= call.held.length
    call.held.take()
    call.state = 'closed'
    this.#open = undefined
    this.#sign(call)
  }

  /** The input of a call whose arguments do not begin like an object. */
  #settle(call: AssembledCall): string {
    const { notes } = this.#context
    const { held } = call
    if (held.is('') || held.is('{}')) return '{}'
    if (held.is('null')) {
      notes.add(
        'arguments_null',
        'tool_calls',
        `the arguments of ${call.name} are null: an empty object instead`,
      )
      return '{}'
    }
    const unwrapped = unwrapString(held)
    if (unwrapped === undefined) {
      if (call.scanner.state !== 'complete') this.#noteNoJson(call)
      return held.text
    }
    notes.add(
      'arguments_unwrapped',
      'tool_calls',
      `the arguments of ${call.name} were JSON inside a JSON string`,
    )
    return unwrapped
  }

  #noteNoJson(call: AssembledCall): void {
    const message = `the arguments of ${call.name} are not one JSON object: passed on as they are`
    this.#context.notes.add('arguments_not_json', 'tool_calls', message)
  }

  /** Hides Gemini's signature of a call in the conversation, from where the next request takes it back. */
  #sign(call: AssembledCall): void {
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
