import type { JsonObject } from '../json/json-object.ts'
import type { BlockWriter } from '../stream/block-writer.ts'
import { type EscapedTextSink, takesEscapedText } from './escaped-text-sink.ts'
import type { RunTaker } from './fast-text.ts'
import type { TextRun } from './text-run.ts'

/** Writes words that are still escaped past a block writer, into the text block that it has open. */
export class EscapedTextWriter implements RunTaker {
  readonly #writer: BlockWriter
  readonly #sink: EscapedTextSink | undefined

  readonly begun = 0

  constructor(writer: BlockWriter) {
    this.#writer = writer
    this.#sink = takesEscapedText(writer.sink) ? writer.sink : undefined
  }

  /** Whether escaped words may come now; otherwise they must go to the block writer, unescaped. */
  get isOpen(): boolean {
    return this.#sink !== undefined && this.#writer.takesWordsUnread
  }

  take(deltas: TextRun, _event: JsonObject): void {
    this.#writer.wordsWritten(deltas.length)
    this.#sink?.escapedRun(deltas)
  }
}
