import type { Buffer } from 'node:buffer'

/** Smaller pieces stay in the line. */
export const MIN_BLOB = 2048

/** A piece is at least this part of what precedes it in its list, so that a huge body has hundreds at most. */
const PART_OF_LIST = 64

/** Behind a list that grows with the conversation the cuts begin anew, so that what follows it is found again. */
const LIST_END =
  /^\],"(?:messages|model|system|tools|tool_choice|max_tokens|max_completion_tokens|stream|stream_options|metadata|thinking|temperature|context_management|output_config|functions|parallel_tool_calls|reasoning_effort|response_format|stop|stop_sequences|top_p|user|input|instructions|include|store|contents|systemInstruction|generationConfig|toolConfig)"/

/** Long enough for the longest name of a member in that pattern. */
const LIST_END_LENGTH = 28

/** A piece of a body. */
export interface CutPiece {
  readonly bytes: Buffer
  /** Whether it was cut behind a list, between two elements of one, or where the body ends. */
  readonly cut: 'list' | 'element' | 'body'
}

/**
 * Cuts a body between two elements of its lists, so that the same beginning is cut in the same way however long the
 * body is: a history that is sent again with one more turn consists of the same pieces and a few new ones.
 */
export class BodyCutter {
  readonly #body: Buffer
  #at = 0
  #listStart = 0

  constructor(body: Buffer) {
    this.#body = body
  }

  get isDone(): boolean {
    return this.#at >= this.#body.length
  }

  /** Takes the next piece. */
  next(): CutPiece {
    const start = this.#at
    const smallest = Math.max(MIN_BLOB, Math.floor((start - this.#listStart) / PART_OF_LIST))
    const element = this.#body.indexOf('},{', start + smallest)
    const end = element < 0 ? this.#body.length : element + 2
    const listEnd = this.#listEndBefore(end)
    const cut = listEnd >= 0 ? 'list' : element < 0 ? 'body' : 'element'
    const piece: CutPiece = { bytes: this.#body.subarray(start, listEnd < 0 ? end : listEnd), cut }
    this.#goBehind(piece)
    return piece
  }

  /** Takes a piece that was cut before if it comes next: it need not be looked for. */
  takes(piece: CutPiece): boolean {
    const { bytes, cut } = piece
    const end = this.#at + bytes.length
    if (end > this.#body.length || (cut === 'body' && end < this.#body.length)) return false
    if (bytes.compare(this.#body, this.#at, end) !== 0) return false
    this.#goBehind(piece)
    return true
  }

  #goBehind({ bytes, cut }: CutPiece): void {
    this.#at += bytes.length
    if (cut === 'list') this.#listStart = this.#at
  }

  /** The place behind the bracket and the comma of the first list that grows and ends before a place; -1 if none does. */
  #listEndBefore(end: number): number {
    const body = this.#body.subarray(this.#at, end + LIST_END_LENGTH)
    const last = end - this.#at
    for (let at = body.indexOf('],"'); at >= 0 && at + 2 <= last; at = body.indexOf('],"', at + 3)) {
      if (LIST_END.test(body.toString('latin1', at, at + LIST_END_LENGTH))) return this.#at + at + 2
    }
    return -1
  }
}
