import { Buffer } from 'node:buffer'
import type { Chunks } from '../redact/alike/chunks.ts'
import type { EventTemplate } from '../redact/alike/event-template.ts'

/** Enough for the lines of most moments. */
const INITIAL_LENGTH = 16 * 1024

/** Larger memory is given back when it is empty. */
const MAX_KEPT = 128 * 1024

/** What one text in UTF-16 units needs at most in UTF-8. */
const MAX_BYTES_OF_UNIT = 3

/** Numbers from here on have more digits than are written one by one. */
const LARGE_NUMBER = 1e9

const ZERO = 0x30
const MINUS = 0x2d
const COMMA = 0x2c
const BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const LINE_FEED = 0x0a

const TEXT = Buffer.from('":')
const TEXT_END = Buffer.from('}')
const TEXTS = Buffer.from('s":[')
const TEXTS_END = Buffer.from(']}')
const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * A chunk of one or several events that was found to be like a template, with texts in which JSON escapes nothing but
 * backslashes and quotes.
 */
export interface ChunkLikeTemplate {
  readonly chunks: Chunks
  readonly index: number
  readonly template: EventTemplate
}

/**
 * Lines that are gathered, as the bytes of a file. There are many of them and most are short: put together from strings
 * they cost several times as much, most of it for memory that is thrown away at once.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_LENGTH)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** What is there, until something is added. */
  content(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): void {
    this.#length = 0
    if (this.#bytes.length > MAX_KEPT) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_LENGTH)
  }

  /** The beginning of a line: a bracket, and two numbers with a comma behind each. */
  begin(number: number, time: number): void {
    this.#makeRoom(64)
    this.#add(BRACKET)
    this.#number(number)
    this.#add(COMMA)
    this.#number(time)
    this.#add(COMMA)
  }

  /** The end of a line. */
  end(): void {
    this.#makeRoom(2)
    this.#add(CLOSING_BRACKET)
    this.#add(LINE_FEED)
  }

  text(text: string): void {
    this.#makeRoom(text.length * MAX_BYTES_OF_UNIT)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** A few bytes, which cost less one by one. */
  short(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length)
    for (let index = 0; index < bytes.length; index += 1) this.#add(bytes[index] ?? 0)
  }

  /** A chunk that is like that of a line, behind bytes that end within the name of the member that has its texts. */
  like(start: Uint8Array, chunk: ChunkLikeTemplate): void {
    this.short(start)
    this.#texts(chunk)
  }

  /** A chunk with what later ones may be like. */
  framed(start: Uint8Array, chunk: ChunkLikeTemplate): void {
    this.short(start)
    this.text(`{"frame":${JSON.stringify(chunk.template.parts)},"text`)
    this.#texts(chunk)
  }

  /** What fills the holes of the events of a chunk. */
  #texts({ chunks, index, template: { holes, known } }: ChunkLikeTemplate): void {
    const { run } = chunks
    const end = chunks.endOf(index)
    const lengthBehind = known[holes.length]?.length ?? 0
    let place = run.firstPlaceOf(index)
    const isOne = holes.length === 1 && (run.places[place + 1] ?? 0) + lengthBehind === end
    this.#makeRoom(64)
    this.short(isOne ? TEXT : TEXTS)
    for (let at = chunks.startOf(index); at < end;) {
      if (at > chunks.startOf(index)) this.#add(COMMA)
      this.#textsOfEvent(chunks, place, holes.length)
      place += 2 * holes.length
      at = (run.places[place - 1] ?? end) + lengthBehind
    }
    this.short(isOne ? TEXT_END : TEXTS_END)
  }

  /** The same for one event, from one of the places on. */
  #textsOfEvent({ bytes, run: { places } }: Chunks, first: number, holes: number): void {
    for (let place = first; place < first + 2 * holes; place += 2) {
      if (place > first) this.#add(COMMA)
      this.#quoted(bytes, places[place] ?? 0, places[place + 1] ?? 0)
    }
  }

  /** A text in quotes: bytes from and to of which JSON escapes none but backslashes and quotes. */
  #quoted(bytes: Uint8Array, from: number, to: number): void {
    // The quotes, and room for what follows.
    this.#makeRoom(2 * (to - from) + 16)
    this.#add(QUOTE)
    const target = this.#bytes
    let length = this.#length
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte === BACKSLASH || byte === QUOTE) {
        target[length] = BACKSLASH
        length += 1
      }
      target[length] = byte
      length += 1
    }
    this.#length = length
    this.#add(QUOTE)
  }

  #number(value: number): void {
    if (!(value > -LARGE_NUMBER && value < LARGE_NUMBER)) return this.text(String(value))
    if (value < 0) this.#add(MINUS)
    // As a small integer: dividing others takes several times as long.
    let rest = Math.abs(value) | 0
    let digits = 1
    for (let power = 10; power <= rest; power *= 10) digits += 1
    for (let at = this.#length + digits - 1; at >= this.#length; at -= 1) {
      const tenth = (rest / 10) | 0
      this.#bytes[at] = ZERO + rest - tenth * 10
      rest = tenth
    }
    this.#length += digits
  }

  #add(byte: number): void {
    this.#bytes[this.#length] = byte
    this.#length += 1
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length))
    larger.set(this.content())
    this.#bytes = larger
  }
}
