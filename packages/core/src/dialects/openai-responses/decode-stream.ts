import { StrayWords } from '../../errors/broken-off.ts'
import { EscapedTextWriter } from '../../fast-text/escaped-text-writer.ts'
import { FastText, type RunTaker } from '../../fast-text/fast-text.ts'
import { PieceTaker } from '../../fast-text/piece-taker.ts'
import type { TextRun } from '../../fast-text/text-run.ts'
import { HubError } from '../../hub/error.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { arrayAt, eventObject, locatedFault, objectAt, textAt, type WireObject } from '../../json/wire.ts'
import type { StreamDecoder } from '../dialect.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { Items } from './items.ts'
import type { ResponsesContext } from './profile.ts'
import { decodeStopReason } from './stop-reason.ts'
import { decodeUsage } from './usage.ts'
import { ARGUMENTS, TEXT } from './varying-text.ts'
import { NAME } from './wire.ts'

/** Signs of life, and steps that are repeated in full when they are over. */
const UNTOLD = /^(?:created|in_progress|queued|keepalive|ping|compaction\.compacting)$/

/** The events of items; tools that the provider runs are written with their item, or leave a note. */
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
  readonly #text: FastText
  readonly #arguments: FastText
  #events = 0
  readonly #stray = new StrayWords()

  constructor(context: ResponsesContext) {
    this.#context = context
    this.#items = new Items(context)
    this.#text = new FastText(new MessageWords(context, this.#items), TEXT)
    const taker = new PieceTaker(context.writer, {
      tell: (json, event) => this.#items.more(event, json),
      pass: (pieces, event) => this.#items.pass(event, pieces),
    })
    this.#arguments = new FastText(taker, ARGUMENTS)
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
      const event = eventObject(data, NAME)
      const type = (textAt(event['type'], 'type') || name || '').replace(/^response\./, '')
      this.#read(type, event, data.length)
      if (this.#items.isBeingWritten({ type, event })) this.#learn(name, data, event)
      else this.#forget()
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** How many events there were so far. */
  get count(): number {
    return this.#events + this.#text.events + this.#arguments.events
  }

  /** Most events differ from the one before in their words alone, and need not be parsed. */
  skim(bytes: Uint8Array, from: number): number {
    const at = this.#text.skim(bytes, from)
    try {
      return this.#arguments.skim(bytes, at)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  strayLine(field: string, value: string): void {
    this.#stray.line(field, value)
  }

  end(): void {
    if (!this.#context.writer.ended) throw this.#brokenOff()
  }

  /** The whole answer, or what the last event says it is. */
  conclude(response: WireObject): void {
    const { status, error } = response
    this.#context.writer.answeredBy(response['model'], response['id'])
    const isFailure = status === 'failed' || status === 'cancelled'
    if (isFailure || isErrorPayload({ error })) throw failureOf(response)
    if (status === 'queued' || status === 'in_progress') {
      const message = `${NAME}: expected an answer that is over, got one that is ${status}`
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
    const usage = decodeUsage(response)
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

  #read(type: string, event: WireObject, length: number): void {
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
        this.conclude(concluded(event, type))
        return
      case 'error':
        throw decodeErrorPayload(event)
      default:
        this.#other(type, event, length)
    }
  }

  #other(type: string, event: WireObject, length: number): void {
    const { response } = event
    if (isJsonObject(response)) this.#context.writer.answeredBy(response['model'], response['id'])
    if (OF_ITEMS.test(type)) this.#items.event({ type, event, length })
    else if (isErrorPayload({ error: event['error'] })) throw decodeErrorPayload(event)
    else if (!UNTOLD.test(type)) {
      const message = `an event of the type ${type} was left out`
      this.#context.notes.addOnce('event_ignored', 'type', message)
    }
  }

  #learn(name: string | undefined, data: string, event: WireObject): void {
    this.#text.learn(name, data, event)
    this.#arguments.learn(name, data, event)
  }

  #forget(): void {
    this.#text.close()
    this.#arguments.close()
  }

  #brokenOff(): HubError {
    return this.#stray.brokenOff(NAME, this.count)
  }
}

/** The words of a message: they go to the client unread, and are counted for the end of their part. */
class MessageWords extends EscapedTextWriter implements RunTaker {
  readonly #items: Items

  constructor({ writer }: ResponsesContext, items: Items) {
    super(writer)
    this.#items = items
  }

  override take(texts: TextRun, event: WireObject): void {
    this.#items.unread(event, texts.length)
    super.take(texts, event)
  }
}

function itemIn(event: WireObject): WireObject {
  return objectAt(event['item'], 'item') ?? {}
}

/**
 * The answer as the last event tells it. The event names the status itself; that of the answer counts only where it
 * says less than whole. Perplexity has the error beside the answer.
 */
function concluded(event: WireObject, type: string): WireObject {
  const response = objectAt(event['response'], 'response') ?? {}
  const status = String(response['status'])
  const isLess = type === 'completed' && ['incomplete', 'failed', 'cancelled'].includes(status)
  return { ...response, status: isLess ? status : type, error: response['error'] ?? event['error'] }
}

function failureOf({ status, error }: WireObject): HubError {
  if (isErrorPayload({ error })) return decodeErrorPayload({ error })
  return new HubError('api_error', `${NAME}: the upstream gave up: the answer is ${String(status)}`)
}
