import { HubError } from '../../hub/error.ts'
import { cleanWords } from '../../hub/upstream-words.ts'
import { exceedsDepth } from '../../json/depth-of-text.ts'
import { MAX_JSON_DEPTH } from '../../json/measure.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { ChatContext } from './profile.ts'
import { CallAssembler } from './calls.ts'
import { decodeDelta, type DeltaTarget } from './decode-delta.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { Outflow } from './outflow.ts'
import { decodeStopReason, isCutOff } from './stop-reason.ts'
import { ARGUMENTS, callIn, CONTENT, TextTemplate } from './text-template.ts'
import { UsageTally, usageIn } from './usage.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from './wire.ts'

/** Shorter events cannot hurt, however deep they nest. */
const HARMLESS_LENGTH = 2048
const MAX_STRAY_LENGTH = 200

/** Creates the decoder of one stream of chat chunks. */
export function decodeStream(context: ChatContext): ChatStreamDecoder {
  return new ChatStreamDecoder(context)
}

/** Reads chat chunks, however their provider words them, and tells them to the block writer. */
export class ChatStreamDecoder implements StreamDecoder {
  readonly #context: ChatContext
  readonly #target: DeltaTarget
  readonly #usage = new UsageTally()
  readonly #text = new TextTemplate(CONTENT)
  readonly #arguments = new TextTemplate(ARGUMENTS)
  #events = 0
  /** A choice was seen, if only an empty one: the upstream did answer. */
  #answered = false
  #finish = ''
  /** How many calls were incomplete when the upstream last said that it is finished. */
  #incomplete = 0
  #matchedStop: string | undefined
  #stray = ''

  constructor(context: ChatContext) {
    this.#context = context
    const calls = new CallAssembler(context)
    this.#target = { context, calls, outflow: new Outflow(context, calls) }
  }

  get finished(): boolean {
    return this.#finish !== ''
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    this.#events += 1
    if (name === undefined && this.#copyText(data)) return
    try {
      if (data.startsWith('[DONE]')) this.conclude()
      else if (name === 'error') throw decodeErrorPayload(errorIn(data))
      else if (!this.#continueCall(data)) this.#read(data)
    } catch (thrown) {
      throw thrown instanceof WireFault ? this.#located(thrown) : thrown
    }
  }

  skim(bytes: Uint8Array, from: number): number {
    const { outflow } = this.#target
    if (!outflow.takesEscaped) return from
    let at = from
    for (;;) {
      const found = this.#text.findRun(bytes, at)
      if (found === undefined) return at
      outflow.escapedRun(found.texts)
      this.#events += found.texts.count
      at = found.end
    }
  }

  strayLine(field: string, value: string): void {
    // llama-box reports errors in a field that the standard tells clients to ignore.
    if (field === 'error') throw decodeErrorPayload(errorIn(value))
    const line = value === '' ? field : `${field}: ${value}`
    this.#stray ||= cleanWords(line).slice(0, MAX_STRAY_LENGTH).toWellFormed()
  }

  end(): void {
    if (this.#context.writer.ended) return
    // A finish may stand behind each call; one that began after the last of them must be whole.
    const isCut = this.#target.calls.unfinishedCount > this.#incomplete
    if (!this.finished || isCut) throw this.#brokenOff()
    try {
      this.conclude()
    } catch (thrown) {
      throw thrown instanceof WireFault ? this.#located(thrown) : thrown
    }
  }

  /** One chunk, or a whole answer in the form of one. */
  chunk(chunk: WireObject): void {
    if (isErrorPayload(chunk)) throw decodeErrorPayload(chunk)
    const usage = usageIn(chunk)
    if (usage !== undefined) this.#usage.read(usage)
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
    const { calls, outflow } = this.#target
    if (this.#finish === '' && !(this.#answered && calls.allWhole)) throw this.#brokenOff()
    if (isCutOff(this.#finish)) calls.dropNameless()
    outflow.finish()
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

  /** Most chunks differ from the one before in their text alone, which need not even be unescaped. */
  #copyText(data: string): boolean {
    const { outflow } = this.#target
    const escaped = outflow.takesEscaped ? this.#text.match(data) : undefined
    if (escaped === undefined) return false
    outflow.escapedText(escaped)
    return true
  }

  /** The same for the arguments of a call, which are looked at: only the rest of the chunk is not parsed again. */
  #continueCall(data: string): boolean {
    const escaped = this.#arguments.match(data)
    if (escaped === undefined) return false
    const json = escaped.includes('\\') ? (JSON.parse(`"${escaped}"`) as string) : escaped
    const index = callIn(this.#arguments.chunk)?.['index']
    decodeDelta({ tool_calls: [{ index, function: { arguments: json } }] }, this.#target)
    return true
  }

  #read(data: string): void {
    const chunk = parseChunk(data)
    this.chunk(chunk)
    this.#text.learn(data, chunk)
    this.#arguments.learn(data, chunk)
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
    if (finish === 'error') {
      throw new HubError('api_error', 'openai-chat: the upstream ended its answer with an error')
    }
    // A repeated finish changes nothing, and content may follow the first one.
    this.#finish ||= finish
    this.#incomplete = this.#target.calls.unfinishedCount
    const stop = choice['stop_reason'] ?? choice['matched_stop']
    if (typeof stop === 'string') this.#matchedStop ??= stop
  }

  #brokenOff(): HubError {
    const said = this.#stray === '' ? '' : `; it said: ${this.#stray}`
    const message = `openai-chat: the answer broke off after ${this.#events} events, before it was finished${said}`
    return new HubError('api_error', message, { status: 502 })
  }

  #located(fault: WireFault): HubError {
    return new HubError('api_error', `openai-chat: ${fault.message} (event ${this.#events})`, {
      cause: fault,
    })
  }
}

function parseChunk(data: string): WireObject {
  if (data.length > MAX_EVENT_LENGTH)
    throw new WireFault('an event', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  if (data.length > HARMLESS_LENGTH && exceedsDepth(data, MAX_JSON_DEPTH)) {
    throw new WireFault('an event', `nested at most ${MAX_JSON_DEPTH} deep`, 'more')
  }
  const value = parseEvent(data)
  const chunk = objectAt(value, 'an event')
  if (chunk === undefined) throw new WireFault('an event', 'an object', value)
  return chunk
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new HubError('api_error', 'openai-chat: an event is not JSON', { cause })
  }
}

/** What is said to be an error: a payload as JSON, or bare words. */
function errorIn(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return { error: data }
  }
}
