import { frameAt } from '../../event-stream/frame-shape.ts'
import { EscapedTextWriter } from '../../fast-text/escaped-text-writer.ts'
import { FastText } from '../../fast-text/fast-text.ts'
import { PieceTaker } from '../../fast-text/piece-taker.ts'
import { HubError } from '../../hub/error.ts'
import { sealEnvelope } from '../../identity/envelope.ts'
import type { HubUsage } from '../../hub/usage.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { CallQueue } from '../../stream/call-queue.ts'
import type { StreamDecoder } from '../dialect.ts'
import type { QContext } from './profile.ts'
import { decodeErrorPayload } from './error.ts'
import { decodeStopReason, isCutOff } from './stop-reason.ts'
import { decodeUsage } from './usage.ts'
import { eventObject, expectedText, locatedFault, objectAt, textAt, WireFault } from '../../json/wire.ts'
import { CONTENT, INPUT } from './varying-text.ts'
import { NAME } from './wire.ts'

/** Events that have no counterpart for a client: the service's own names, its price, its fill level. */
const SILENT: ReadonlySet<string> = new Set(['messageMetadataEvent', 'meteringEvent', 'contextUsageEvent'])

/** What an answer has beside its calls. */
type WordKind = 'text' | 'thinking' | 'signature' | 'redacted'

/** Creates the decoder of one answer. */
export function decodeStream(context: QContext): StreamDecoder {
  return new QStreamDecoder(context)
}

/** Reads the events of an answer and tells them to the block writer. */
class QStreamDecoder implements StreamDecoder {
  readonly #context: QContext
  readonly #blocks: CallQueue<WordKind>
  readonly #text: FastText
  readonly #inputs: FastText
  #events = 0
  #stopReason = ''
  #usage: HubUsage | undefined
  finished = false

  constructor(context: QContext) {
    this.#context = context
    this.#blocks = new CallQueue(context, {
      path: 'toolUseEvent',
      write: (kind, piece) => this.#write(kind, piece),
    })
    this.#text = new FastText(new EscapedTextWriter(context.writer), CONTENT, frameAt)
    const taker = new PieceTaker(context.writer, {
      tell: (input, event) => this.#readCall({ ...event, input }),
      pass: (pieces, event) => this.#blocks.pass(event['toolUseId'], pieces),
    })
    this.#inputs = new FastText(taker, INPUT, frameAt)
  }

  /** How many events there were so far. */
  get count(): number {
    return this.#events + this.#text.events + this.#inputs.events
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended) return
    this.#events += 1
    try {
      const payload = data === '' ? {} : eventObject(data, NAME)
      this.#read(name ?? '', payload)
      this.#learn(name, data, payload)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** Most events differ from the one before in their words alone, and need not be parsed. */
  skim(bytes: Uint8Array, from: number): number {
    const at = this.#text.skim(bytes, from)
    try {
      return this.#inputs.skim(bytes, at)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** Only a body of text has lines. It is not an answer, which is reported at its end. */
  strayLine(): void {}

  end(): void {
    const { writer, notes } = this.#context
    if (writer.ended) return
    const isCut = this.#blocks.hasUnfinishedCall && !isCutOff(this.#stopReason)
    if (!this.finished || isCut) throw this.#brokenOff()
    this.#blocks.finish()
    const stop = decodeStopReason(this.#stopReason, this.#blocks.calls, this.#context)
    if (this.#usage === undefined)
      notes.add(
        'usage_estimated',
        'metadataEvent',
        'the upstream did not report its usage: an estimate instead',
      )
    writer.stop(stop, this.#usage ?? writer.estimatedUsage())
  }

  #learn(name: string | undefined, data: string, payload: JsonObject): void {
    if (name === 'assistantResponseEvent') this.#text.learn(name, data, payload)
    else this.#text.close()
    if (name === 'toolUseEvent') this.#inputs.learn(name, data, payload)
    else this.#inputs.close()
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
        this.#blocks.words('text', expectedText(payload['content'], `${name}.content`))
        return true
      case 'reasoningContentEvent':
        this.#blocks.words('thinking', textAt(payload['text'], `${name}.text`))
        this.#blocks.words('signature', textAt(payload['signature'], `${name}.signature`))
        this.#blocks.words('redacted', textAt(payload['redactedContent'], `${name}.redactedContent`))
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
    const shown = name === '' ? 'an event' : name
    this.#context.notes.add('event_ignored', shown, 'an event of a type without an equivalent was left out')
  }

  #readCall(payload: JsonObject): void {
    const id = expectedText(payload['toolUseId'], 'toolUseEvent.toolUseId')
    if (id === '') throw new WireFault('toolUseEvent.toolUseId', 'an id', 'an empty string')
    this.#blocks.call({
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

  #write(kind: WordKind, piece: string): void {
    const { writer } = this.#context
    if (kind === 'text' || kind === 'thinking') {
      writer[kind](piece)
      return
    }
    // A thought that nobody may read is one without words: Anthropic's own form for it would be sent to Anthropic.
    if (kind === 'redacted') writer.closeBlock()
    writer.signature(sealEnvelope({ by: NAME, proof: piece }))
  }

  #brokenOff(): HubError {
    const expected = this.#context.reply.profile.closingEvents.join(' or ')
    const missing = this.finished ? 'a call in it was whole' : `its ${expected} came`
    const message = `${NAME}: the answer broke off after ${this.count} events, before ${missing}`
    return new HubError('api_error', message, { status: 502 })
  }
}
