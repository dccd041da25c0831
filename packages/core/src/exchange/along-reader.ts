import { SILENT_SINK } from '../fast-text/silent-sink.ts'
import type { HubError } from '../hub/error.ts'
import { WireFault } from '../json/wire.ts'
import { placeOfEvent } from '../sse/event-ends.ts'
import { type AnswerOptions, AnswerReader, type AnswerState } from '../stream/answer-reader.ts'

/** A place in bytes that were pushed. */
interface Place {
  readonly begin: number
  readonly end: number
}

/**
 * Reads along while an answer goes to a client of the same dialect. What our decoder does not know the client may:
 * after such an event another reader goes on with the next one, and only the last one decides how the answer ends.
 */
export class AlongReader {
  readonly #options: AnswerOptions
  #reader: AnswerReader
  /** Whether the answer had begun, and whether it was finished, when an earlier reader gave up. */
  #hadStarted = false
  #hadFinished = false
  #earlierCalls = 0
  #earlierOutput = 0
  #fault: Place = { begin: 0, end: 0 }
  /** What an earlier reader did not understand. */
  unread: HubError | undefined

  constructor(options: AnswerOptions) {
    this.#options = options
    this.#reader = new AnswerReader(options, SILENT_SINK)
  }

  /** Takes whole events, or a piece of a whole answer. */
  push(bytes: Uint8Array): void {
    for (let from = 0; from <= bytes.length; from = this.#fault.end) {
      this.#reader.push(bytes.subarray(from))
      const { failure, progress } = this.#reader
      if (failure === undefined) return
      const place = progress && placeOfEvent(bytes.subarray(from), progress)
      this.#fault = { begin: from + (place?.begin ?? 0), end: from + (place?.end ?? 0) }
      if (!this.#isForgiven(failure) || this.#fault.end <= from) return
      this.#replace(failure)
    }
  }

  end(): void {
    this.#reader.end()
  }

  fail(error: HubError): void {
    this.#reader.fail(error)
  }

  /** Where in the bytes of the last push the event is that failed. */
  get fault(): Place {
    return this.#fault
  }

  /** Whether it was a line outside of events that failed. */
  get isStray(): boolean {
    return this.#reader.progress?.isStray === true
  }

  get started(): boolean {
    return this.#hadStarted || this.#reader.started
  }

  get ended(): boolean {
    return this.#reader.ended && !this.#isLateCut
  }

  get finished(): boolean {
    return this.#hadFinished || this.#reader.finished
  }

  get failure(): HubError | undefined {
    return this.#isLateCut ? undefined : this.#reader.failure
  }

  get summary(): AnswerState['summary'] {
    const { summary } = this.#reader
    if (this.unread === undefined) return summary
    return {
      ...summary,
      toolCalls: this.#earlierCalls + summary.toolCalls,
      outputEstimate: this.#earlierOutput + summary.outputEstimate,
    }
  }

  /** Whether a failure is one of our understanding, and not one of the answer. */
  #isForgiven({ cause, isUpstreams }: HubError): boolean {
    if (isUpstreams || cause instanceof SyntaxError) return false
    // A reader that begins in the middle of an answer misses what came before.
    return cause instanceof WireFault || this.unread !== undefined
  }

  /** A reader that came late finds nothing of an answer that an earlier one has seen the end of. */
  get #isLateCut(): boolean {
    const { failure } = this.#reader
    return this.#hadFinished && failure !== undefined && this.#isForgiven(failure)
  }

  #replace(failure: HubError): void {
    const { started, finished, summary } = this.#reader
    this.unread ??= failure
    this.#hadStarted ||= started
    this.#hadFinished ||= finished
    this.#earlierCalls += summary.toolCalls
    this.#earlierOutput += summary.outputEstimate
    this.#reader = new AnswerReader(this.#options, SILENT_SINK)
  }
}
