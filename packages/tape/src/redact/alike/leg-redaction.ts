import type { Piece } from '../piece.ts'
import type { ExampleEvent, StreamRedaction } from '../stream-redaction.ts'
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
  /** An event that the template was not learnt from yet: nothing may follow that is compared with it. */
  #unlearnt: ExampleEvent | undefined
  /** How many of the chunks that were left hold no secret, whatever follows. */
  #harmless = 0

  constructor(stream: StreamRedaction) {
    this.#stream = stream
  }

  /** Redacts all chunks; undecided pieces among them have holders, and must not be written yet. */
  redact(chunks: Chunks): readonly RedactedChunk[] {
    const redacted = this.begin(chunks)
    this.finish(chunks, redacted)
    return redacted
  }

  /** Redacts all chunks but those at the end that are like the ones before them: these are left as the run of the chunks. */
  begin(chunks: Chunks): RedactedChunk[] {
    const redacted: RedactedChunk[] = []
    for (;;) {
      this.#harmless = this.#matchFrom(chunks, redacted.length)
      const isLast = redacted.length + chunks.run.count === chunks.count
      if (isLast) return redacted
      const isNextUnlike = this.#harmless === chunks.run.count
      this.finish(chunks, redacted)
      if (isNextUnlike) redacted.push(this.#push(chunks.textOf(redacted.length)))
    }
  }

  /** How many of the chunks that were left could be passed. */
  get passable(): number {
    return this.#harmless
  }

  /** The leg goes on with the first of the chunks that were left. */
  pass(count: number, redacted: RedactedChunk[]): void {
    this.#stream.pass(count)
    const template = this.#template
    if (template !== undefined) for (let passed = 0; passed < count; passed += 1) redacted.push(template)
  }

  /** The leg goes on with all chunks that were left. */
  finish(chunks: Chunks, redacted: RedactedChunk[]): void {
    const { count } = chunks.run
    const harmless = this.#harmless
    this.pass(harmless, redacted)
    for (let rest = harmless; rest < count; rest += 1) {
      redacted.push(this.#pushAlike(chunks.textOf(redacted.length)))
    }
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
    if (first < chunks.count) this.#learn()
    const text = this.#stream.example?.text
    if (this.#template === undefined || text === undefined) run.clear()
    else run.match(chunks, first, this.#template)
    if (run.count === 0 || text === undefined || !run.isUtf8) return 0
    if (run.asides.length > 0 && !this.#stream.isHarmlessAside(run.asides.text())) return 0
    return countUpTo(run, text.harmlessIn(run.texts.text()))
  }

  #learn(): void {
    if (this.#unlearnt !== undefined) this.#template = templateOf(this.#unlearnt, this.#template)
    this.#unlearnt = undefined
  }

  #push(bytes: string): Piece {
    const known = this.#stream.example
    const piece = this.#stream.push(bytes)
    const { example } = this.#stream
    if (example === known) return piece
    this.#learn()
    this.#unlearnt = example
    if (example === undefined) this.#template = undefined
    return piece
  }

  /** The same for a chunk that matches the template, which can learn nothing from it. */
  #pushAlike(bytes: string): Piece {
    const template = this.#template
    const piece = this.#push(bytes)
    if (template !== undefined && this.#template === template) this.#unlearnt = undefined
    return piece
  }
}

/** How many texts of a run, from the first on, end at a place or before it. */
function countUpTo({ count, ends }: EventRun, end: number): number {
  let fitting = 0
  while (fitting < count && (ends[fitting] ?? 0) <= end) fitting += 1
  return fitting
}
