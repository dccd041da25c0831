import { StrayWords } from '../../errors/broken-off.ts'
import { EscapedTextWriter } from '../../fast-text/escaped-text-writer.ts'
import { FastText } from '../../fast-text/fast-text.ts'
import { PieceTaker } from '../../fast-text/piece-taker.ts'
import { HubError } from '../../hub/error.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { ChatContext } from './profile.ts'
import { CallAssembler } from './calls.ts'
import { Sources } from './citations.ts'
import { decodeDelta, type DeltaTarget } from './decode-delta.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { BlockOrder } from './block-order.ts'
import { decodeStopReason, isBroken, isCutOff } from './stop-reason.ts'
import { ARGUMENTS, callIn, CONTENT } from './varying-text.ts'
import { UsageTally, usageIn } from './usage.ts'
import {
  arrayAt,
  eventObject,
  jsonIn,
  locatedFault,
  objectAt,
  textAt,
  type WireObject,
} from '../../json/wire.ts'
import { NAME } from './wire.ts'

/** Creates the decoder of one stream of chat chunks. */
export function decodeStream(context: ChatContext): ChatStreamDecoder {
  return new ChatStreamDecoder(context)
}

/** Reads chat chunks, however their provider words them, and tells them to the block writer. */
export class ChatStreamDecoder implements StreamDecoder {
  readonly #context: ChatContext
  readonly #target: DeltaTarget
  readonly #usage = new UsageTally()
  readonly #sources = new Sources()
  readonly #text: FastText
  readonly #arguments: FastText
  #events = 0
  /** A choice was seen, if only an empty one: the upstream did answer. */
  #answered = false
  #finish = ''
  /** How many calls were incomplete when the upstream last said that it is finished. */
  #incomplete = 0
  #matchedStop: string | undefined
  /** The chunk that was asked for its call last: many that differ in their arguments alone share one. */
  #latest: { readonly chunk: WireObject; readonly index: unknown } = { chunk: {}, index: undefined }
  readonly #stray = new StrayWords()

  constructor(context: ChatContext) {
    this.#context = context
    this.#text = new FastText(new EscapedTextWriter(context.writer), CONTENT)
    const calls = new CallAssembler(context)
    const blocks = new BlockOrder(context, calls)
    this.#target = { context, calls, blocks }
    const taker = new PieceTaker(context.writer, {
      tell: (json, event) => this.#moreOf(json, event),
      pass: (pieces, event) => !blocks.isHolding && calls.pass(this.#callOf(event), pieces),
    })
    this.#arguments = new FastText(taker, ARGUMENTS)
  }

  get finished(): boolean {
    return this.#finish !== ''
  }

  /** How many events there were so far. */
  get count(): number {
    return this.#events + this.#text.events + this.#arguments.events
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    this.#events += 1
    try {
      if (data.startsWith('[DONE]')) this.conclude()
      else if (name === 'error') throw decodeErrorPayload(errorIn(data))
      else this.#read(name, data)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** Most chunks differ from the one before in their words alone, and need not be parsed. */
  skim(bytes: Uint8Array, from: number): number {
    const at = this.#target.blocks.takesWordsUnread ? this.#text.skim(bytes, from) : from
    try {
      return this.#arguments.skim(bytes, at)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  strayLine(field: string, value: string): void {
    // llama-box reports errors in a field that the standard tells clients to ignore.
    if (field === 'error') throw decodeErrorPayload(errorIn(value))
    this.#stray.line(field, value)
  }

  end(): void {
    if (this.#context.writer.ended) return
    // A finish may follow each call; one that began after the last of them must be whole.
    const isCut = this.#target.calls.unfinishedCount > this.#incomplete
    if (!this.finished || isCut) throw this.#brokenOff()
    try {
      this.conclude()
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** One chunk, or a whole answer in the form of one. */
  chunk(chunk: WireObject): void {
    if (isErrorPayload(chunk)) throw decodeErrorPayload(chunk)
    this.#context.writer.answeredBy(chunk['model'], chunk['id'])
    const usage = usageIn(chunk)
    if (usage !== undefined) this.#usage.read(usage)
    this.#sources.read(chunk)
    const { choices } = chunk
    if (choices === undefined || choices === null) {
      this.#context.notes.add('chunk_ignored', 'choices', 'a chunk without choices was left out')
      return
    }
    for (const element of arrayAt(choices, 'choices')) {
      const choice = objectAt(element, 'choices[]')
      if (choice !== undefined) this.#choice(choice)
    }
  }

  /** The upstream has said that this was all. */
  conclude(): void {
    const { writer, notes } = this.#context
    const { calls, blocks } = this.#target
    if (this.#finish === '' && !(this.#answered && calls.allWhole)) throw this.#brokenOff()
    if (isCutOff(this.#finish)) calls.dropNameless()
    for (const citation of this.#sources.citations) blocks.cite(citation)
    blocks.finish()
    if (!this.#usage.complete) {
      notes.add('usage_estimated', 'usage', 'the upstream did not report its usage: an estimate instead')
    }
    const ending = { finish: this.#finish, calls: calls.count, matchedStop: this.#matchedStop }
    const stop = decodeStopReason(ending, this.#context)
    writer.stop(
      stop,
      this.#usage.result(() => writer.estimatedUsage()),
    )
  }

  /** The index of the call that a chunk is about. */
  #callOf(chunk: WireObject): unknown {
    if (this.#latest.chunk !== chunk) this.#latest = { chunk, index: callIn(chunk)?.['index'] }
    return this.#latest.index
  }

  /** A further piece of the arguments of the call that a chunk is about. */
  #moreOf(json: string, chunk: WireObject): void {
    const index = this.#callOf(chunk)
    decodeDelta({ tool_calls: [{ index, function: { arguments: json } }] }, this.#target)
  }

  #read(name: string | undefined, data: string): void {
    const chunk = eventObject(data, NAME)
    this.chunk(chunk)
    this.#text.learn(name, data, chunk)
    this.#arguments.learn(name, data, chunk)
  }

  #choice(choice: WireObject): void {
    const index = choice['index'] ?? 0
    if (index !== 0) {
      this.#context.notes.add('choice_ignored', 'choices', 'only the first choice of an answer is passed on')
      return
    }
    if (isErrorPayload(choice)) throw decodeErrorPayload(choice)
    this.#answered = true
    const delta = objectAt(choice['delta'], 'choices[0].delta') ?? this.#wholeMessage(choice)
    if (delta !== undefined) decodeDelta(delta, this.#target)
    this.#readFinish(choice)
  }

  /** Some servers send the message in one piece, under the name it has outside of streams. */
  #wholeMessage(choice: WireObject): WireObject | undefined {
    if (this.#context.writer.started) return undefined
    return objectAt(choice['message'], 'choices[0].message')
  }

  #readFinish(choice: WireObject): void {
    const finish = textAt(choice['finish_reason'], 'choices[0].finish_reason')
    if (finish === '') return
    if (isBroken(finish)) {
      const reason = finish === 'error' ? 'an error' : `the reason ${finish}`
      throw new HubError('api_error', `${NAME}: the upstream ended its answer with ${reason}`)
    }
    // A repeated finish changes nothing, and content may follow the first one.
    this.#finish ||= finish
    this.#incomplete = this.#target.calls.unfinishedCount
    const stop = choice['stop_reason'] ?? choice['matched_stop']
    if (typeof stop === 'string') this.#matchedStop ??= stop
  }

  #brokenOff(): HubError {
    return this.#stray.brokenOff(NAME, this.count)
  }
}

/** What is said to be an error: a payload as JSON, or bare words. */
function errorIn(data: string): unknown {
  return jsonIn(data) ?? { error: data }
}
