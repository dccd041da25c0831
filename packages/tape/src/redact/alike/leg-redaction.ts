import type { Piece } from '../piece.ts'
import type { StreamRedaction } from '../stream-redaction.ts'
import type { Chunks } from './chunks.ts'
import type { EventRun } from './event-run.ts'
import { type EventTemplate, templateOf } from './event-template.ts'

/** What became of a chunk: a piece that may be covered, or the template of an event that is written as it came. */
export type RedactedChunk = Piece | EventTemplate

/**
 * Redacts one leg of an exchange, many chunks at a time. Events that are like the last one but for their text are not
 * scanned: their texts are searched together, and if that finds nothing they are written by their template. What else
 * changes with each event, such as its number, is searched as well.
 */
export class LegRedaction {
  readonly #stream: StreamRedaction
  /** The template of the last event; undefined if there is nothing to compare the next one with. */
  #template: EventTemplate | undefined

  constructor(stream: StreamRedaction) {
    this.#stream = stream
  }

  /** Redacts all chunks; undecided pieces among them have holders, and must not be written yet. */
  redact(chunks: Chunks): readonly RedactedChunk[] {
    const redacted: RedactedChunk[] = []
    while (redacted.length < chunks.count) {
      const passed = this.#matchFrom(chunks, redacted.length)
      const template = this.pass(passed)
      if (template !== undefined) for (let count = 0; count < passed; count += 1) redacted.push(template)
      const rest = Math.max(chunks.run.count - passed, 1)
      for (let count = 0; count < rest && redacted.length < chunks.count; count += 1) {
        redacted.push(this.#push(chunks.textOf(redacted.length)))
      }
    }
    return redacted
  }

  /** How many chunks, from the first on, could be passed. The run of the chunks has all that match the template. */
  match(chunks: Chunks): number {
    return this.#matchFrom(chunks, 0)
  }

  /** The leg goes on with the first chunks of those that were just matched; their template is returned. */
  pass(count: number): EventTemplate | undefined {
    this.#stream.pass(count)
    return this.#template
  }

  /** The leg ended as it should. */
  end(): void {
    this.#stream.end()
  }

  /** The leg broke off, or nothing waits for it any longer. */
  cut(): void {
    this.#stream.cut()
  }

  #matchFrom(chunks: Chunks, first: number): number {
    const { run } = chunks
    const text = this.#stream.example?.text
    if (this.#template === undefined || text === undefined) run.clear()
    else run.match(chunks, first, this.#template)
    if (run.count === 0 || text === undefined || !run.isUtf8) return 0
    if (run.asides.length > 0 && !this.#stream.isHarmlessAside(run.asides.text())) return 0
    return countUpTo(run, text.harmlessIn(run.texts.text()))
  }

  #push(bytes: string): Piece {
    const known = this.#stream.example
    const piece = this.#stream.push(bytes)
    const { example } = this.#stream
    if (example !== known) this.#template = example && templateOf(example, this.#template)
    return piece
  }
}

/** How many texts of a run, from the first on, end at a place or before it. */
function countUpTo({ count, ends }: EventRun, end: number): number {
  let fitting = 0
  while (fitting < count && (ends[fitting] ?? 0) <= end) fitting += 1
  return fitting
}
