import { HubError } from '../../hub/error.ts'
import { cleanWords } from '../../hub/upstream-words.ts'
import { exceedsDepth } from '../../json/depth-of-text.ts'
import { MAX_JSON_DEPTH } from '../../json/measure.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from '../../json/wire.ts'
import { MAX_EVENT_LENGTH } from '../../sse/parse.ts'
import type { StreamDecoder } from '../dialect.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { Items } from './items.ts'
import type { ResponsesContext } from './profile.ts'
import { decodeStopReason } from './stop-reason.ts'
import { decodeUsage } from './usage.ts'

/** Shorter events cannot hurt, however deep they nest. */
const HARMLESS_LENGTH = 2048
const MAX_STRAY_LENGTH = 200

/** Signs of life, and steps that are told again when they are over. */
const UNTOLD = /^(?:created|in_progress|queued|keepalive|ping|compaction\.compacting)$/

/** The events of items; those of tools that the provider runs are told by the item, or by the note on it. */
const OF_ITEMS =
  /^(?:output_text|refusal|reasoning|function_call|custom_tool_call|content_part|web_search_call|x_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_|shell_call|local_shell_call|apply_patch_call|computer_call|tool_search)/

/** Creates the decoder of one stream of Responses events. */
export function decodeStream(context: ResponsesContext): ResponsesStreamDecoder {
  return new ResponsesStreamDecoder(context)
}

/** Reads Responses events and tells them to the block writer. */
export class ResponsesStreamDecoder implements StreamDecoder {
  readonly #context: ResponsesContext
  readonly #items: Items
  #events = 0
  #stray = ''

  constructor(context: ResponsesContext) {
    this.#context = context
    this.#items = new Items(context)
  }

  get finished(): boolean {
    return this.#context.writer.ended
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    this.#events += 1
    // Only servers that speak Chat as well end with this; the end itself is an event of its own.
    if (data.startsWith('[DONE]')) throw this.#brokenOff()
    try {
      this.#read(parseEvent(data), name, data.length)
    } catch (thrown) {
      throw thrown instanceof WireFault ? this.#located(thrown) : thrown
    }
  }

  strayLine(field: string, value: string): void {
    const line = value === '' ? field : `${field}: ${value}`
    this.#stray ||= cleanWords(line).slice(0, MAX_STRAY_LENGTH).toWellFormed()
  }

  end(): void {
    if (!this.#context.writer.ended) throw this.#brokenOff()
  }

  /** The whole answer, or what the last event says it is. */
  conclude(response: WireObject): void {
    const { status, error } = response
    const isFailure = status === 'failed' || status === 'cancelled'
    if (isFailure || isErrorPayload({ error })) throw failureOf(response)
    if (status === 'queued' || status === 'in_progress') {
      const message = `openai-responses: expected an answer that is over, got one that is ${status}`
      throw new HubError('api_error', message, { status: 502 })
    }
    const output = arrayAt(response['output'], 'response.output')
    if (this.#items.count === 0) this.#tellWhole(output)
    this.#items.finish(output)
    this.#stop(response)
  }

  #tellWhole(output: readonly unknown[]): void {
    for (const [index, element] of output.entries()) {
      const item = objectAt(element, 'response.output[]')
      if (item !== undefined) this.#items.done({ output_index: index }, item)
    }
  }

  #stop(response: WireObject): void {
    const { writer, notes } = this.#context
    const details = objectAt(response['incomplete_details'], 'response.incomplete_details')
    const usage = decodeUsage(response['usage'])
    if (usage === undefined) {
      notes.add('usage_estimated', 'usage', 'the upstream did not report its usage: an estimate instead')
    }
    const ending = {
      status: textAt(response['status'], 'response.status') || 'completed',
      reason: textAt(details?.['reason'], 'response.incomplete_details.reason'),
      calls: this.#items.calls,
    }
    writer.stop(decodeStopReason(ending, notes), usage ?? writer.estimatedUsage())
  }

  #read(event: WireObject, name: string | undefined, length: number): void {
    const type = (textAt(event['type'], 'type') || name || '').replace(/^response\./, '')
    switch (type) {
      case 'output_item.added':
        this.#items.added(event, itemIn(event))
        return
      case 'output_item.done':
        this.#items.done(event, itemIn(event))
        return
      case 'completed':
      case 'incomplete':
      case 'failed':
      case 'cancelled':
        this.conclude(concluded(responseIn(event), type))
        return
      case 'error':
        throw decodeErrorPayload(event)
      default:
        this.#other(type, event, length)
    }
  }

  #other(type: string, event: WireObject, length: number): void {
    if (OF_ITEMS.test(type)) this.#items.event({ type, event, length })
    else if (isErrorPayload({ error: event['error'] })) throw decodeErrorPayload(event)
    else if (!UNTOLD.test(type)) {
      const message = `an event of the type ${type.slice(0, 80)} was left out`
      this.#context.notes.addOnce('event_ignored', 'type', message)
    }
  }

  #brokenOff(): HubError {
    const said = this.#stray === '' ? '' : `; it said: ${this.#stray}`
    const message = `openai-responses: the answer broke off after ${this.#events} events, before it was finished${said}`
    return new HubError('api_error', message, { status: 502 })
  }

  #located(fault: WireFault): HubError {
    const message = `openai-responses: ${fault.message} (event ${this.#events})`
    return new HubError('api_error', message, { cause: fault })
  }
}

function itemIn(event: WireObject): WireObject {
  return objectAt(event['item'], 'item') ?? {}
}

function responseIn(event: WireObject): WireObject {
  return objectAt(event['response'], 'response') ?? {}
}

/** The last event names the status itself; that of the answer counts only where it says less than whole. */
function concluded(response: WireObject, type: string): WireObject {
  const { status } = response
  const isLess = type === 'completed' && ['incomplete', 'failed', 'cancelled'].includes(String(status))
  return isLess ? response : { ...response, status: type }
}

function failureOf({ status, error }: WireObject): HubError {
  if (isErrorPayload({ error })) return decodeErrorPayload({ error })
  return new HubError('api_error', `openai-responses: the upstream gave up: the answer is ${String(status)}`)
}

function parseEvent(data: string): WireObject {
  if (data.length > MAX_EVENT_LENGTH)
    throw new WireFault('an event', `at most ${MAX_EVENT_LENGTH} characters`, 'more')
  if (data.length > HARMLESS_LENGTH && exceedsDepth(data, MAX_JSON_DEPTH)) {
    throw new WireFault('an event', `nested at most ${MAX_JSON_DEPTH} deep`, 'more')
  }
  const value = parse(data)
  const event = objectAt(value, 'an event')
  if (event === undefined) throw new WireFault('an event', 'an object', value)
  return event
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new HubError('api_error', 'openai-responses: an event is not JSON', { cause })
  }
}
