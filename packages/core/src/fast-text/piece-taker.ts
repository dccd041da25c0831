import type { JsonObject } from '../json/json-object.ts'
import type { BlockWriter } from '../stream/block-writer.ts'
import { type EscapedTextSink, takesEscapedText } from './escaped-text-sink.ts'
import type { RunTaker } from './fast-text.ts'
import type { TextRun } from './text-run.ts'

/** What a decoder does with the pieces of a call's input. */
export interface PieceRules {
  /** Takes in one piece, unescaped. */
  readonly tell: (piece: string, event: JsonObject) => void
  /**
   * Takes in pieces of the open call that need no look each and go to the client as they are; false if these do not,
   * and have to be told one by one.
   */
  readonly pass: (pieces: TextRun, event: JsonObject) => boolean
}

/** Takes the pieces of a call's input: past a block writer, still escaped, or where that cannot be one by one. */
export class PieceTaker implements RunTaker {
  readonly #writer: BlockWriter
  readonly #sink: EscapedTextSink | undefined
  readonly #rules: PieceRules
  readonly isOpen = true
  begun = 0

  constructor(writer: BlockWriter, rules: PieceRules) {
    this.#writer = writer
    this.#sink = takesEscapedText(writer.sink) ? writer.sink : undefined
    this.#rules = rules
  }

  take(pieces: TextRun, event: JsonObject): void {
    this.begun = 0
    if (this.#sink !== undefined && this.#writer.takesInputUnread && this.#rules.pass(pieces, event)) {
      this.#writer.inputWritten(pieces.length)
      this.#sink.escapedInput(pieces)
      return
    }
    for (let index = 0; index < pieces.count; index += 1) {
      this.begun = index + 1
      this.#rules.tell(pieces.unescapedAt(index), event)
    }
  }
}
