import { Channel } from './channel.ts'
import type { Chunks } from './chunks.ts'
import type { EventFrame } from './event-frame.ts'
import type { EventRun } from './event-run.ts'
import type { KnownFrames } from './known-frames.ts'
import type { MarkNumbers } from './marks.ts'
import { Piece } from './piece.ts'
import type { SecretFinder } from './secret-finder.ts'
import { backslashesBefore, hasEvents } from './stream-text.ts'

/**
 * What matters in a stream of events: its blank lines, the ends of blocks, the numbers of blocks and calls, and the
 * members whose strings are parts of a longer text.
 */
const FIELD =
  /\n\r?\n|content_block_stop|"finish_reason":\s*"|"index":\s*(\d+)|"(content|text|thinking|signature|partial_json|arguments|reasoning|reasoning_content|refusal|delta|data)":\s*"/g

/** Long enough for the longest name of a member, its colon and its quotes. */
const CARRY = 40

/** A text that has not gone on for so many pieces waits no longer. */
const LONGEST_WAIT = 32

/** More texts in one stream share a channel. */
const MOST_CHANNELS = 256

const NOT_ASCII = /[\u0080-\u00ff]/

interface Text {
  readonly channel: Channel
  /** The number of the piece that it last went on in. */
  last: number
}

/** The last string of a text in a piece, and how many there were. */
interface Strings {
  readonly begin: number
  readonly end: number
  readonly text: Text | undefined
  readonly count: number
}

/**
 * Finds the secrets in one leg of an exchange, wherever it is cut: between two chunks, or between two streamed events
 * that each carry a part of a text. Every byte belongs to one channel: the strings of one field and index are one
 * text, everything else is another.
 */
export class StreamRedaction {
  readonly #finder: SecretFinder
  readonly #numbers: MarkNumbers
  readonly #frames: KnownFrames
  readonly #frame: Text
  readonly #texts = new Map<string, Text>()
  #hasEvents: boolean | undefined
  #pieces = 0
  /** The text whose string was open at the end of the last piece, and whether that ended with a backslash. */
  #open: Text | undefined
  #isEscaped = false
  /** What stood around the text of the last event, and that text; undefined if that event is no example. */
  #frameOfLast: EventFrame | undefined
  #textOfLast: Text | undefined
  #strings: Strings = { begin: 0, end: 0, text: undefined, count: 0 }
  #hasBoundary = false
  #carry = ''
  #index = ''

  constructor(finder: SecretFinder, numbers: MarkNumbers, frames: KnownFrames) {
    this.#finder = finder
    this.#numbers = numbers
    this.#frames = frames
    this.#frame = { channel: new Channel(finder, numbers), last: 0 }
  }

  /** The stream goes on with bytes, one character each. While the piece has holders it must not be written. */
  push(bytes: string): Piece {
    this.#pieces += 1
    const piece = new Piece(bytes)
    const isHarmless = !this.#finder.isSuspect(bytes)
    this.#hasEvents ??= hasEvents(bytes)
    if (this.#hasEvents === true) this.#route(piece, bytes, isHarmless)
    else this.#give(this.#frame, { piece, from: 0, part: bytes, isHarmless })
    this.#dropStale()
    return piece
  }

  /**
   * The stream goes on with the chunks from one on. Events that are alike but for their text are looked at together; those
   * that can be written as they are need no piece, and are given as their frame.
   */
  pushAll(chunks: Chunks, first = 0): readonly (EventFrame | Piece)[] {
    const given: (EventFrame | Piece)[] = []
    for (let index = first; index < chunks.count; index = first + given.length) {
      const frame = this.#frameOfNext()
      if (frame === undefined || !this.#pushRun(chunks, index, { frame, given })) {
        given.push(this.push(chunks.textOf(index)))
      }
    }
    return given
  }

  /** What stands around the text of the next event if it is like the last one. */
  #frameOfNext(): EventFrame | undefined {
    return this.#carry === '' && this.#open === undefined ? this.#frameOfLast : undefined
  }

  /** Goes on with the chunks that are like the last event but for their text; false if there are none. */
  #pushRun(chunks: Chunks, first: number, { frame, given }: LikeTheLast): boolean {
    const { run } = chunks
    run.find(chunks, first, frame)
    if (run.count === 0) return false
    const texts = run.text()
    const passed = this.#harmlessOf(run, texts)
    this.#pass(passed)
    for (let index = 0; index < passed; index += 1) given.push(frame)
    for (let index = passed; index < run.count; index += 1) {
      const part = texts.slice(index === 0 ? 0 : run.ends[index - 1], run.ends[index])
      // Some pass only if there is no secret in any of them.
      const event = { part, from: frame.before.length, isHarmless: passed > 0 }
      given.push(this.#pushEvent(chunks.textOf(first + index), event))
    }
    this.#dropStale()
    return true
  }

  /**
   * How many chunks with which the stream could go on, from the first on, can be written as they are: events that are
   * like the last one but for their text, and in which no secret begins. The run of the chunks has all such events.
   */
  look(chunks: Chunks): number {
    const { run } = chunks
    const frame = this.#frameOfNext()
    if (frame === undefined) run.clear()
    else run.find(chunks, 0, frame)
    return run.count === 0 ? 0 : this.#harmlessOf(run, run.text())
  }

  /** The stream goes on with the first chunks of those that were just looked at. Gives their frame. */
  pass(count: number): EventFrame | undefined {
    this.#pass(count)
    return this.#frameOfLast
  }

  /** How many events of a run, from the first on, hold no secret, whatever follows. */
  #harmlessOf({ count, ends }: EventRun, texts: string): number {
    const end = (this.#textOfLast ?? this.#frame).channel.harmlessIn(texts)
    let harmless = 0
    while (harmless < count && (ends[harmless] ?? 0) <= end) harmless += 1
    return harmless
  }

  #pass(count: number): void {
    if (count === 0) return
    const text = this.#textOfLast ?? this.#frame
    text.channel.pass()
    this.#pieces += count
    text.last = this.#pieces
  }

  /** Goes on with an event that is like the last one but for its text. */
  #pushEvent(bytes: string, text: Omit<Part, 'piece'>): Piece {
    this.#pieces += 1
    const piece = new Piece(bytes)
    this.#give(this.#textOfLast ?? this.#frame, { piece, ...text })
    return piece
  }

  /** The stream ended as it should: what looks like the beginning of a secret is none. */
  end(): void {
    this.#frame.channel.end()
    for (const { channel } of this.#texts.values()) channel.end()
  }

  /** The stream broke off: what looks like the beginning of a secret is taken for one. */
  cut(): void {
    this.#frame.channel.cut()
    for (const { channel } of this.#texts.values()) channel.cut()
  }

  /** Learns what stands around the only text of an event, if there is nothing in it but names and numbers. */
  #learnFrame(bytes: string, isHarmless: boolean): void {
    const { begin, end, text, count } = this.#strings
    const isAlone = count === 1 && isHarmless && text !== undefined && !this.#hasBoundary
    const isWhole = this.#open === undefined && this.#carry === '' && bytes.endsWith('\n\n')
    const isExample = isAlone && isWhole && !this.#frame.channel.isPending
    const [before, after] = [bytes.slice(0, begin), bytes.slice(end)]
    const canBeFrame = isExample && !NOT_ASCII.test(before) && !NOT_ASCII.test(after)
    this.#frameOfLast = canBeFrame ? this.#frames.frame(before, after) : undefined
    this.#textOfLast = text
  }

  #route(piece: Piece, bytes: string, isHarmless: boolean): void {
    this.#strings = { begin: 0, end: 0, text: this.#open, count: this.#open === undefined ? 0 : 2 }
    this.#hasBoundary = this.#carry !== ''
    let from = this.#open === undefined ? 0 : this.#takeString({ piece, bytes, from: 0, isHarmless })
    while (from < bytes.length) {
      const begin = this.#openString(bytes, from)
      this.#give(this.#frame, { piece, from, part: bytes.slice(from, begin), isHarmless })
      from = begin
      const text = this.#open
      if (text === undefined) continue
      from = this.#takeString({ piece, bytes, from: begin, isHarmless })
      this.#strings = { begin, end: from, text, count: this.#strings.count + 1 }
    }
    this.#learnFrame(bytes, isHarmless)
  }

  /** Looks for the next string that is a part of a text, and gives where it begins or where the piece ends. */
  #openString(bytes: string, from: number): number {
    const carry = this.#carry.length
    const text = carry === 0 ? bytes : this.#carry + bytes.slice(from)
    const shift = carry === 0 ? 0 : from - carry
    FIELD.lastIndex = carry === 0 ? from : 0
    for (let match = FIELD.exec(text); match !== null; match = FIELD.exec(text)) {
      if (match[1] !== undefined) this.#index = match[1]
      else if (match[2] === undefined) this.#boundary(match[0])
      else {
        this.#open = this.#textOf(match[2] + this.#index)
        this.#carry = ''
        return FIELD.lastIndex + shift
      }
    }
    this.#carry = text.endsWith('\n') ? '' : text.slice(carry === 0 ? from : 0).slice(-CARRY)
    return bytes.length
  }

  #boundary(found: string): void {
    if (found.startsWith('\n')) this.#index = ''
    else {
      this.#hasBoundary = true
      for (const { channel } of this.#texts.values()) channel.end()
    }
  }

  #textOf(name: string): Text {
    const known = this.#texts.get(name)
    if (known !== undefined) return known
    if (this.#texts.size >= MOST_CHANNELS) return this.#texts.values().next().value ?? this.#frame
    const text = { channel: new Channel(this.#finder, this.#numbers), last: this.#pieces }
    this.#texts.set(name, text)
    return text
  }

  /** Gives the open string to its text, and gives where it ends. */
  #takeString({ piece, bytes, from, isHarmless }: OpenString): number {
    const text = this.#open ?? this.#frame
    const end = this.#endOfString(bytes, from)
    this.#give(text, { piece, from, part: bytes.slice(from, end), isHarmless })
    if (end < bytes.length) this.#open = undefined
    return end
  }

  /** The place of the quote that ends a string, or the end of the piece. */
  #endOfString(bytes: string, from: number): number {
    let start = from
    if (this.#isEscaped && from === 0) start = 1
    this.#isEscaped = false
    for (let quote = bytes.indexOf('"', start); quote >= 0; quote = bytes.indexOf('"', quote + 1)) {
      if (backslashesBefore(bytes, quote, start) % 2 === 0) return quote
    }
    this.#isEscaped = backslashesBefore(bytes, bytes.length, start) % 2 === 1
    return bytes.length
  }

  #give(text: Text, { piece, from, part, isHarmless }: Part): void {
    if (part === '') return
    text.last = this.#pieces
    if (isHarmless) text.channel.pushHarmless(piece, from, part)
    else text.channel.push(piece, from, part)
  }

  #dropStale(): void {
    if (this.#pieces <= LONGEST_WAIT) return
    for (const { channel, last } of this.#texts.values()) {
      if (channel.isPending && this.#pieces - last > LONGEST_WAIT) channel.cut()
    }
  }
}

/** What stands around the texts of events that are like the last one, and what is known of the chunks before them. */
interface LikeTheLast {
  readonly frame: EventFrame
  readonly given: (EventFrame | Piece)[]
}

interface Part {
  readonly piece: Piece
  readonly from: number
  readonly part: string
  readonly isHarmless: boolean
}

interface OpenString {
  readonly piece: Piece
  readonly bytes: string
  readonly from: number
  readonly isHarmless: boolean
}
