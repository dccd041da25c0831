import type { MessageSink } from '../hub/sink.ts'
import { BoundedSink } from '../stream/bounded-sink.ts'
import { type EscapedTextSink, takesEscapedText } from './escaped-text-sink.ts'
import type { TextRun } from './text-run.ts'

/** Bounds what a sink keeps, in characters; one that takes escaped words still does. */
export function boundedSink(sink: MessageSink, limit: number): MessageSink {
  return takesEscapedText(sink) ? new BoundedEscapedSink(sink, limit) : new BoundedSink(sink, limit)
}

class BoundedEscapedSink extends BoundedSink implements EscapedTextSink {
  readonly #sink: EscapedTextSink

  constructor(sink: EscapedTextSink, limit: number) {
    super(sink, limit)
    this.#sink = sink
  }

  escapedRun(deltas: TextRun): void {
    this.keepWords(deltas.length, deltas.count)
    this.#sink.escapedRun(deltas)
  }

  escapedInput(pieces: TextRun): void {
    this.keepWords(pieces.length, pieces.count)
    this.#sink.escapedInput(pieces)
  }
}
