import { BinaryFrames } from './binary-frames.ts'
import type { BodyLayout, BodyParts } from './body-parts.ts'
import { ChannelTable } from './channel-table.ts'
import { Channel } from './channel.ts'
import { EventLines } from './event-lines.ts'
import { JsonBody } from './json-body.ts'
import type { MarkNumbers } from './marks.ts'
import { Piece } from './piece.ts'
import type { SecretFinder } from './secret-finder.ts'
import { StreamText } from './stream-text.ts'

/** A text that has not gone on for this many pieces is not waited for any longer. */
const MAX_IDLE_PIECES = 32

/** White space and byte order marks: what may precede anything that tells the kind of a body. */
const LEADING = /^[\s\u00ef\u00bb\u00bf]*/

/** What events end with. */
const EMPTY_LINE = /\n\r?\n$/

/** An event with one text: others like it can do without being scanned. */
export interface ExampleEvent {
  readonly bytes: string
  readonly text: StreamText
  /** Where the text is. */
  readonly from: number
  readonly to: number
}

/**
 * The string that was opened last: the text that it is a part of, how that is known, where it is in the piece, and where
 * the one before it ends there.
 */
interface LastString {
  text: StreamText
  path: string | undefined
  ids: string
  from: number
  to: number
  before: number
}

/**
 * Replaces the secrets in one leg of an exchange, wherever it is cut: between two chunks, or between two events that
 * each carry a part of a text. Every byte belongs to one text: the strings of one path are one, and everything around
 * the strings is another. Length-preserving: a mark is as long as what it replaces.
 */
export class StreamRedaction implements BodyParts {
  readonly #finder: SecretFinder
  readonly #plainChannel: Channel
  readonly #plain: StreamText
  readonly #byPath: ChannelTable
  readonly #byIds: ChannelTable
  /** Finds the texts; undefined until the first bytes tell the kind of the body. */
  #layout: BodyLayout | undefined
  /** How many pieces there were, and the last of them. */
  #pieces = 0
  #piece = new Piece('')
  #isHarmless = true
  /** Up to which byte the piece was given to texts. */
  #given = 0
  readonly #last: LastString
  /** How many strings of texts the piece has. */
  #stringCount = 0
  #example: ExampleEvent | undefined

  constructor(finder: SecretFinder, numbers: MarkNumbers) {
    const create = (): Channel => new Channel(finder, numbers)
    this.#finder = finder
    this.#plainChannel = create()
    this.#plain = new StreamText([this.#plainChannel])
    this.#byPath = new ChannelTable(create)
    this.#byIds = new ChannelTable(create)
    this.#last = { text: this.#plain, path: undefined, ids: '', from: 0, to: 0, before: 0 }
  }

  /** The last event that others can be compared with; undefined once something came that may change what they mean. */
  get example(): ExampleEvent | undefined {
    return this.#example
  }

  /** The stream goes on with bytes, one character each. While the piece has holders it must not be written. */
  push(bytes: string): Piece {
    const wasBetweenEvents = this.#layout?.isBetweenEvents ?? true
    const piece = new Piece(bytes)
    this.#piece = piece
    this.#pieces += 1
    this.#isHarmless = !this.#finder.isSuspect(bytes)
    this.#given = 0
    this.#stringCount = 0
    this.#last.to = 0
    this.#scan(piece)
    this.#giveTo(this.#plain, bytes.length)
    this.#example = wasBetweenEvents ? this.#exampleAfter(bytes) : undefined
    this.#cutIdle()
    return piece
  }

  /** The stream goes on with a number of events that are like the example, and hold no secret. */
  pass(count: number): void {
    if (count === 0) return
    this.#pieces += count
    this.#example?.text.pass(this.#pieces)
    this.#cutIdle()
  }

  /** Whether there is no secret in what events have beside their texts, each part of it between quotes. */
  isHarmlessAside(parts: string): boolean {
    return this.#finder.endsAtQuotes && !this.#finder.isSuspect(parts)
  }

  /** The stream ended as it should: what looks like the beginning of a secret is none. */
  end(): void {
    this.#forEachChannel((channel) => channel.end())
  }

  /** The stream broke off: what looks like the beginning of a secret is taken for one. */
  cut(): void {
    this.#forEachChannel((channel) => channel.cut())
  }

  openText(path: string, ids: string): void {
    const last = this.#last
    this.#stringCount += 1
    last.before = last.to
    // No text begins there: a string whose line ends right behind its quote has none.
    last.from = 0
    // Almost always the same text goes on.
    if (path === last.path && ids === last.ids) return
    const channel = this.#byPath.channelOf(path)
    last.text = new StreamText(ids === '' ? [channel] : [channel, this.#byIds.channelOf(path + ids)])
    last.path = path
    last.ids = ids
  }

  text(from: number, to: number): void {
    const last = this.#last
    this.#giveTo(this.#plain, from)
    this.#giveTo(last.text, to)
    last.from = from
    last.to = to
  }

  /** No secret contains a zero byte: what lies on either side is never taken for one word. */
  skip(from: number, to: number): void {
    this.#giveTo(this.#plain, from)
    this.#giveTo(this.#plain, to, '\0'.repeat(to - from))
  }

  #scan(piece: Piece): void {
    if (this.#layout !== undefined) return this.#layout.scan(piece, 0)
    const start = LEADING.exec(piece.bytes)?.[0].length ?? 0
    if (start === piece.bytes.length) return
    this.#layout = this.#layoutOf(piece.bytes.charAt(start))
    this.#layout.scan(piece, start)
  }

  /** A frame begins with its length, whose first byte is zero in all that are short enough; no text does. */
  #layoutOf(first: string): BodyLayout {
    if (first === '\0') return new BinaryFrames(this)
    return first === '{' || first === '[' ? new JsonBody(this) : new EventLines(this)
  }

  /** A text goes on with what was not given to any, up to a place in the piece. */
  #giveTo(text: StreamText, to: number, part: string = this.#piece.bytes.slice(this.#given, to)): void {
    const from = this.#given
    this.#given = to
    text.push({ piece: this.#piece, from, part, number: this.#pieces, isHarmless: this.#isHarmless })
  }

  /**
   * With a secret in it, or in a stream that may go on anywhere, an event is no example. Of several that came at once it
   * is the last, if it has one text. A comment is none, but what follows may be like the event before it as long as the
   * same text goes on.
   */
  #exampleAfter(bytes: string): ExampleEvent | undefined {
    if (!this.#isHarmless || this.#layout?.isBetweenEvents !== true) return undefined
    if (!EMPTY_LINE.test(bytes) || this.#plainChannel.isPending) return undefined
    const { text, from, to, before } = this.#last
    const start = startOfLastEvent(bytes)
    const hasOneText = this.#stringCount > 0 && before <= start && start < from
    if (hasOneText) return { bytes: bytes.slice(start), text, from: from - start, to: to - start }
    return this.#example?.text === text ? this.#example : undefined
  }

  #cutIdle(): void {
    if (this.#pieces <= MAX_IDLE_PIECES) return
    this.#forEachChannel((channel) => {
      if (channel.isPending && this.#pieces - channel.lastPiece > MAX_IDLE_PIECES) channel.cut()
    })
  }

  #forEachChannel(act: (channel: Channel) => void): void {
    act(this.#plainChannel)
    this.#byPath.forEach(act)
    this.#byIds.forEach(act)
  }
}

function startOfLastEvent(bytes: string): number {
  const [lineFeeds, both] = [
    bytes.lastIndexOf('\n\n', bytes.length - 3),
    bytes.lastIndexOf('\n\r\n', bytes.length - 4),
  ]
  return Math.max(lineFeeds < 0 ? 0 : lineFeeds + 2, both < 0 ? 0 : both + 3)
}
