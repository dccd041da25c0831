import { Buffer } from 'node:buffer'
import { closeSync, ftruncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Leg, type LineType, TAPE_FILE, type TapedBytes, type TapeData } from '../format/lines.ts'
import { reasonOf } from '../format/tape-error.ts'
import type { ChunkLeg } from '../redact/alike/chunk-batch.ts'
import type { EventTemplate } from '../redact/alike/event-template.ts'
import { type BodyOptions, BodyWriter } from './body-writer.ts'
import { type ChunkLikeTemplate, LineBuffer } from './line-buffer.ts'
import { unlockTape } from './writer-lock.ts'

/** What a line says, without its number. */
export interface LineParts<Type extends LineType = LineType> {
  /** When it happened, in microseconds since the epoch. */
  readonly at: number
  readonly exchange: number
  readonly leg: Leg
  readonly type: Type
  readonly data: TapeData[Type]
}

/** What is known of the lines of the chunks of one leg of an exchange. */
export class ChunkLines {
  /** What they have between the time and the data. */
  readonly start: Uint8Array
  /** The template that was written last; set by the writer. */
  template: EventTemplate | undefined
  /** What lines of chunks like it have between the time and their texts. */
  like: Uint8Array = Buffer.alloc(0)

  constructor(exchange: number, leg: ChunkLeg) {
    this.start = Buffer.from(`${exchange},"${leg}","d",`)
  }

  /** A template was written in a line. */
  begin(template: EventTemplate, line: number): void {
    this.template = template
    this.like = Buffer.from(`${Buffer.from(this.start).toString()}{"like":${line},"text`)
  }
}

/** Where a writer goes on. */
export interface TapePosition {
  readonly folder: string
  /** The open file, in append mode, and its length. */
  readonly descriptor: number
  readonly size: number
  /** The number of the last line and of the last exchange. */
  readonly line: number
  readonly exchange: number
  /** The time of the last line, in microseconds since the epoch. */
  readonly at: number
  /** Called once, when the tape cannot be written any more. */
  readonly onProblem: (message: string) => void
  /** For how many milliseconds lines are gathered before they are written together; 0 writes each at once. */
  readonly gather?: number | undefined
}

const LINE_FEED = 0x0a

/** More bytes than these are not gathered. */
const MAX_GATHERED = 64 * 1024

/**
 * Appends to a tape, whole lines in one system call: what was written is there, whatever happens to the process.
 * It never throws. When a line or a piece cannot be written it reports that once, and writes nothing more.
 */
export class TapeWriter {
  readonly folder: string
  readonly #descriptor: number
  readonly #bodies: BodyWriter
  readonly #onProblem: (message: string) => void
  #size: number
  #line: number
  #exchange: number
  #at: number
  readonly #gather: number
  readonly #gathered = new LineBuffer()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #failure: string | undefined

  constructor({ folder, descriptor, size, line, exchange, at, onProblem, gather = 0 }: TapePosition) {
    this.folder = folder
    this.#descriptor = descriptor
    this.#bodies = new BodyWriter(folder)
    this.#onProblem = onProblem
    this.#gather = gather
    this.#size = size
    this.#line = line
    this.#exchange = exchange
    this.#at = at
  }

  /** Why the tape is not written any more; undefined while it is. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** The number of the last line; 0 if there is only a header. */
  get lastLine(): number {
    return this.#line
  }

  /** The number of a new exchange. */
  nextExchange(): number {
    this.#exchange += 1
    return this.#exchange
  }

  /** A body as a line holds it; large pieces of it go into files of their own, each once. */
  body(bytes: string | Uint8Array, options: BodyOptions = {}): TapedBytes {
    if (this.#failure !== undefined) return ''
    try {
      return this.#bodies.write(bytes, options)
    } catch (thrown) {
      // What happened before this is on the tape.
      this.flush()
      this.#fail(thrown)
      return ''
    }
  }

  append({ at, exchange, leg, type, data }: LineParts): void {
    if (!this.#begin(at)) return
    this.#gathered.text(`${exchange},"${leg}","${type}",${JSON.stringify(data)}`)
    this.#end()
  }

  /** Appends the line of a chunk that is already JSON. */
  appendChunk(at: number, { start }: ChunkLines, data: string): void {
    if (!this.#begin(at)) return
    this.#gathered.short(start)
    this.#gathered.text(data)
    this.#end()
  }

  /** Appends the line of a chunk that is like a template; the template itself is written only if it is another one. */
  appendLike(at: number, lines: ChunkLines, chunk: ChunkLikeTemplate): void {
    if (!this.#begin(at)) return
    if (lines.template === chunk.template) this.#gathered.like(lines.like, chunk)
    else {
      this.#gathered.framed(lines.start, chunk)
      lines.begin(chunk.template, this.#line)
    }
    this.#end()
  }

  /** Writes the lines that were gathered. */
  flush(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#gathered.length === 0) return
    const lines = this.#gathered.content()
    this.#gathered.clear()
    if (this.#failure === undefined) this.#write(lines)
  }

  close(): void {
    if (this.#isClosed) return
    this.flush()
    this.#isClosed = true
    unlockTape(this.folder)
    try {
      closeSync(this.#descriptor)
    } catch (thrown) {
      this.#fail(thrown)
    }
  }

  /** Begins a line; false if none is written any more. */
  #begin(at: number): boolean {
    if (this.#failure !== undefined || this.#isClosed) return false
    const time = Math.round(at)
    this.#line += 1
    this.#gathered.begin(this.#line, time - this.#at)
    this.#at = time
    return true
  }

  #end(): void {
    this.#gathered.end()
    if (this.#gather === 0 || this.#gathered.length > MAX_GATHERED) this.flush()
    // The timer keeps no process alive: a recorder closes its tapes when the process exits.
    else this.#timer ??= setTimeout(() => this.flush(), this.#gather).unref()
  }

  #write(bytes: Uint8Array): void {
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written)
      this.#size += written
    } catch (thrown) {
      this.#cutTornLine(bytes.subarray(0, written))
      this.#fail(thrown)
    }
  }

  /** Lines that were written whole stay; the beginning of the next one is taken back, as far as that can be done. */
  #cutTornLine(written: Uint8Array): void {
    try {
      ftruncateSync(this.#descriptor, this.#size + written.lastIndexOf(LINE_FEED) + 1)
    } catch {
      // The reader cuts it off as well.
    }
  }

  #fail(thrown: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = `the recording in ${join(this.folder, TAPE_FILE)} stopped: ${reasonOf(thrown)}`
    this.#onProblem(this.#failure)
  }
}
