import { HubError } from '../../hub/error.ts'
import type { HubUsage } from '../../hub/usage.ts'
import { exceedsDepth } from '../../json/depth-of-text.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { MAX_JSON_DEPTH } from '../../json/measure.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { QContext } from './profile.ts'
import { decodeErrorPayload } from './error.ts'
import { Outflow } from './outflow.ts'
import { decodeStopReason, isCutOff } from './stop-reason.ts'
import { decodeUsage } from './usage.ts'
import { expectedText, objectAt, textAt, WireFault } from './wire.ts'

/** Shorter events cannot hurt, however deep they nest. */
const HARMLESS_LENGTH = 2048
/** How much of a name a note shows. */
const MAX_SHOWN = 100

/** Events that say nothing a client could be told: the service's own names, its price, its fill level. */
const SILENT: ReadonlySet<string> = new Set(['messageMetadataEvent', 'meteringEvent', 'contextUsageEvent'])

/** Creates the decoder of one answer. */
export function decodeStream(context: QContext): StreamDecoder {
  return new QStreamDecoder(context)
}

/** Reads the events of an answer and tells them to the block writer. */
class QStreamDecoder implements StreamDecoder {
  readonly #context: QContext
  readonly #outflow: Outflow
  #events = 0
  #stopReason = ''
  #usage: HubUsage | undefined
  finished = false

  constructor(context: QContext) {
    this.#context = context
    this.#outflow = new Outflow(context)
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended) return
    this.#events += 1
    try {
      this.#read(name ?? '', parseEvent(data))
    } catch (thrown) {
      throw thrown instanceof WireFault ? this.#located(thrown) : thrown
    }
  }

  /** Only a body of text has lines. It is no answer, and its end says so. */
  strayLine(): void {}

  end(): void {
    const { writer, notes } = this.#context
    if (writer.ended) return
    const isCut = this.#outflow.hasUnfinishedCall && !isCutOff(this.#stopReason)
    if (!this.finished || isCut) throw this.#brokenOff()
    this.#outflow.finish()
    const stop = decodeStopReason(this.#stopReason, this.#outflow.calls, this.#context)
    if (this.#usage === undefined)
      notes.add(
        'usage_estimated',
        'metadataEvent',
        'the upstream did not report its usage: an estimate instead',
      )
    writer.stop(stop, this.#usage ?? writer.estimatedUsage())
  }

  #read(name: string, payload: JsonObject): void {
    if (this.#readContent(name, payload)) this.finished = false
    else this.#readRest(name, payload)
    if (this.#context.reply.profile.closingEvents.includes(name)) this.finished = true
  }

  /** Whether an event was a part of the answer. */
  #readContent(name: string, payload: JsonObject): boolean {
    switch (name) {
      case 'assistantResponseEvent':
        this.#outflow.words('text', expectedText(payload['content'], `${name}.content`))
        return true
      case 'reasoningContentEvent':
        this.#outflow.words('thinking', textAt(payload['text'], `${name}.text`))
        this.#outflow.words('signature', textAt(payload['signature'], `${name}.signature`))
        this.#outflow.words('redacted', textAt(payload['redactedContent'], `${name}.redactedContent`))
        return true
      case 'toolUseEvent':
        this.#readCall(payload)
        return true
      default:
        return false
    }
  }

  #readRest(name: string, payload: JsonObject): void {
    if (name === 'metadataEvent') {
      this.#readMetadata(payload)
      return
    }
    if (name === 'invalidStateEvent') throw decodeErrorPayload(payload, 'InvalidStateException')
    if (SILENT.has(name)) return
    const shown = name === '' ? 'an event' : name.slice(0, MAX_SHOWN)
    this.#context.notes.add('event_ignored', shown, 'an event of a type without an equivalent was left out')
  }

  #readCall(payload: JsonObject): void {
    const id = expectedText(payload['toolUseId'], 'toolUseEvent.toolUseId')
    if (id === '') throw new WireFault('toolUseEvent.toolUseId', 'an id', 'an empty string')
    this.#outflow.call({
      id,
      name: textAt(payload['name'], 'toolUseEvent.name'),
      input: textAt(payload['input'], 'toolUseEvent.input'),
      stop: payload['stop'] === true,
    })
  }

  #readMetadata(payload: JsonObject): void {
    this.#stopReason = textAt(payload['stopReason'], 'metadataEvent.stopReason') || this.#stopReason
    const usage = objectAt(payload['tokenUsage'], 'metadataEvent.tokenUsage')
    if (usage !== undefined) this.#usage = decodeUsage(usage) ?? this.#usage
  }

  #brokenOff(): HubError {
    const expected = this.#context.reply.profile.closingEvents.join(' or ')
    const missing = this.finished ? 'a call in it was whole' : `its ${expected} came`
    const message = `amazon-q: the answer broke off after ${this.#events} events, before ${missing}`
    return new HubError('api_error', message, { status: 502 })
  }

  #located(fault: WireFault): HubError {
    const message = `amazon-q: ${fault.message} (event ${this.#events})`
    return new HubError('api_error', message, { status: 502, cause: fault })
  }
}

function parseEvent(data: string): JsonObject {
  if (data === '') return {}
  if (data.length > HARMLESS_LENGTH && exceedsDepth(data, MAX_JSON_DEPTH))
    throw new WireFault('an event', `nested at most ${MAX_JSON_DEPTH} deep`, 'more')
  const value = parse(data)
  const payload = objectAt(value, 'an event')
  if (payload === undefined) throw new WireFault('an event', 'an object', 'null')
  return payload
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new HubError('api_error', 'amazon-q: an event is not JSON', { status: 502, cause })
  }
}
