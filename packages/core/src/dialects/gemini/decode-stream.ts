import { EscapedTextWriter } from '../../fast-text/escaped-text-writer.ts'
import { FastText } from '../../fast-text/fast-text.ts'
import { HubError } from '../../hub/error.ts'
import { cleanWords } from '../../errors/upstream-words.ts'
import { isJsonObject } from '../../json/json-object.ts'
import {
  arrayAt,
  eventObject,
  jsonIn,
  locatedFault,
  objectAt,
  textAt,
  type WireObject,
} from '../../json/wire.ts'
import type { DecodeContext, StreamDecoder } from '../dialect.ts'
import { PartDecoder } from './decode-delta.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { SearchItem } from './search-item.ts'
import { decodeStopReason, endsAnywhere, finishName } from './stop-reason.ts'
import { UsageTally } from './usage.ts'
import { TEXT } from './varying-text.ts'
import { NAME } from './wire.ts'

const MAX_STRAY_LENGTH = 20_000
const MAX_SHOWN_LENGTH = 200

/** Creates the decoder of one stream of `GenerateContentResponse`s. */
export function decodeStream(context: DecodeContext): GeminiStreamDecoder {
  return new GeminiStreamDecoder(context)
}

/** Reads the pieces of an answer and tells them to the block writer. */
export class GeminiStreamDecoder implements StreamDecoder {
  readonly #context: DecodeContext
  readonly #parts: PartDecoder
  readonly #usage = new UsageTally()
  readonly #search: SearchItem
  readonly #text: FastText
  #events = 0
  #finish = ''
  #finishMessage = ''
  #blocked = ''
  #stray = ''

  constructor(context: DecodeContext) {
    this.#context = context
    this.#parts = new PartDecoder(context)
    this.#search = new SearchItem(context)
    this.#text = new FastText(new EscapedTextWriter(context.writer), TEXT)
  }

  get finished(): boolean {
    if (this.#finish === '') return this.#blocked !== ''
    return !this.#parts.isInCall || endsAnywhere(this.#finish)
  }

  event(name: string | undefined, data: string): void {
    if (this.#context.writer.ended || data === '') return
    // Some gateways end every stream in the way of OpenAI; Google's own end is the finish reason before it.
    if (data.startsWith('[DONE]')) return
    this.#events += 1
    try {
      const chunk = eventObject(data, NAME)
      this.#countCopied()
      this.chunk(chunk)
      this.#text.learn(name, data, chunk)
    } catch (thrown) {
      throw locatedFault(thrown, NAME, this.count)
    }
  }

  /** How many events there were so far. */
  get count(): number {
    return this.#events + this.#text.events
  }

  /** Most chunks differ from the one before in their words and their counts alone, and need not be parsed. */
  skim(bytes: Uint8Array, from: number): number {
    return this.#text.skim(bytes, from)
  }

  /** Google's errors in the middle of a stream come as plain JSON without `data:`, on one line or on several. */
  strayLine(field: string, value: string): void {
    const line = value === '' ? field : `${field}:${value}`
    if (this.#stray.length < MAX_STRAY_LENGTH) this.#stray += this.#stray === '' ? line : `\n${line}`
    const payload = jsonIn(this.#stray)
    if (isErrorPayload(payload)) throw decodeErrorPayload(payload)
  }

  end(): void {
    if (this.#context.writer.ended) return
    if (!this.finished) throw this.#brokenOff()
    this.#countCopied()
    this.conclude()
  }

  /** One piece of an answer, or a whole one. */
  chunk(chunk: WireObject): void {
    if (isErrorPayload(chunk)) throw decodeErrorPayload(chunk)
    this.#context.writer.answeredBy(chunk['modelVersion'], chunk['responseId'])
    const usage = chunk['usageMetadata']
    if (isJsonObject(usage)) this.#usage.read(usage)
    const feedback = objectAt(chunk['promptFeedback'], 'promptFeedback')
    if (feedback !== undefined) this.#blocked ||= blockWords(feedback)
    this.#candidates(arrayAt(chunk['candidates'], 'candidates'))
  }

  /** The upstream has ended its answer. */
  conclude(): void {
    const { writer, notes } = this.#context
    if (!this.finished) throw this.#brokenOff()
    this.#parts.cut()
    const stop = decodeStopReason(
      {
        finish: this.#finish,
        message: this.#finishMessage,
        blocked: this.#blocked,
        calls: this.#parts.calls,
        hasContent: this.#parts.hasContent,
      },
      this.#context,
    )
    this.#search.tell()
    this.#usage.searched(this.#search.queries.length)
    if (!this.#usage.complete)
      notes.add(
        'usage_estimated',
        'usageMetadata',
        'the upstream did not report its usage: an estimate instead',
      )
    writer.stop(
      stop,
      this.#usage.result(() => writer.estimatedUsage()),
    )
  }

  /** Chunks that were copied have counted their tokens, too. */
  #countCopied(): void {
    const counts = this.#text.takeNumbers()
    const usage = this.#text.event['usageMetadata']
    if (counts !== undefined && isJsonObject(usage)) this.#usage.read({ ...usage, ...counts })
  }

  /** The first one; the number of an answer's only candidate is often left out, and with it that of others. */
  #candidates(list: readonly unknown[]): void {
    const candidates = list
      .map((element) => objectAt(element, 'candidates[]'))
      .filter((candidate) => candidate !== undefined)
    const first = candidates.find(({ index }) => (index ?? 0) === 0)
    if (first !== undefined) this.#candidate(first)
    if (candidates.length > (first === undefined ? 0 : 1))
      this.#context.notes.add('candidate_ignored', 'candidates', 'only the first candidate is passed on')
  }

  #candidate(candidate: WireObject): void {
    const content = objectAt(candidate['content'], 'candidates[0].content')
    if (content !== undefined) this.#parts.parts(content['parts'])
    this.#search.read(candidate['groundingMetadata'])
    this.#noteSources(candidate)
    // A repeated finish changes nothing, and content may follow the first one: the end of the body decides.
    const finish = finishName(candidate['finishReason'])
    if (finish === '') return
    this.#finish = finish
    this.#finishMessage = textAt(candidate['finishMessage'], 'candidates[0].finishMessage')
  }

  /** What an answer was made from, beside a search: nobody else has a place for it. */
  #noteSources({ urlContextMetadata: pages, citationMetadata: cited }: WireObject): void {
    const { notes } = this.#context
    if (holdsSome(pages, 'urlMetadata'))
      notes.addOnce('grounding_dropped', 'candidates[0].urlContextMetadata', 'which pages were read')
    if (holdsSome(cited, 'citations'))
      notes.addOnce('citations_dropped', 'candidates[0].citationMetadata', 'which works the answer repeats')
  }

  #brokenOff(): HubError {
    const words = cleanWords(this.#stray).slice(0, MAX_SHOWN_LENGTH).toWellFormed()
    const shown = words === '' ? '' : `; it sent: ${words}`
    const message = `${NAME}: the answer broke off after ${this.count} events, before it was finished${shown}`
    return new HubError('api_error', message, { status: 502 })
  }
}

/** Why a prompt was refused, '' if it was not. */
function blockWords({ blockReason: reason, blockReasonMessage: message }: WireObject): string {
  if (!reason) return ''
  const name = typeof reason === 'string' ? reason : JSON.stringify(reason)
  return typeof message === 'string' && message !== '' ? `${name}: ${message}` : name
}

/** Whether a list has an element that says something: Google fills some with empty objects. */
function holdsSome(value: unknown, field: string): boolean {
  const list = isJsonObject(value) ? value[field] : undefined
  return Array.isArray(list) && list.some((item) => isJsonObject(item) && Object.keys(item).length > 0)
}
