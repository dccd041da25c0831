import type { EventShape } from '../fast-text/event-run.ts'
import { KnownBytes } from '../fast-text/known-bytes.ts'
import { KnownHoles } from '../fast-text/known-holes.ts'
import type { TextRun } from '../fast-text/text-run.ts'
import type { EventPattern } from '../fast-text/text-template.ts'
import { MAX_EVENT_LENGTH } from '../sse/parse.ts'
import { checksumOf, crc32, KnownRemainder, NO_REMAINDER, remainderOver } from './crc32.ts'
import { decodeFrameHeaders } from './frame-headers.ts'
import { CHECKSUM_LENGTH, PRELUDE_LENGTH, uint32At } from './frame-layout.ts'

const encoder = new TextEncoder()

/** The shape of events in frames that have the headers of the frame that begins here. */
export function frameAt(bytes: Uint8Array, from: number, pattern: EventPattern): EventShape | undefined {
  const end = from + uint32At(bytes, from)
  const headersEnd = from + PRELUDE_LENGTH + uint32At(bytes, from + 4)
  const payloadEnd = end - CHECKSUM_LENGTH
  if (end > bytes.length || headersEnd > payloadEnd) return undefined
  if (crc32(bytes.subarray(from, payloadEnd)) !== uint32At(bytes, payloadEnd)) return undefined
  const headers = bytes.slice(from + PRELUDE_LENGTH, headersEnd)
  const texts = decodeFrameHeaders(headers)
  if (texts.get(':message-type') !== 'event' || texts.get(':event-type') !== pattern.event) return undefined
  return new FrameShape(headers, pattern)
}

/**
 * Frames differ in their text, and with it in their lengths and checksums. These are checked for each, but what is the
 * same in all of them has its part in the checksum known.
 */
class FrameShape implements EventShape {
  readonly holes: KnownHoles
  readonly #headersLength: number
  /** The headers, and the payload before its first hole. */
  readonly #opening: KnownBytes
  readonly #remainder: KnownRemainder

  constructor(headers: Uint8Array, { opening, holes }: EventPattern) {
    const known = new Uint8Array([...headers, ...encoder.encode(opening)])
    this.#headersLength = headers.length
    this.#opening = new KnownBytes(known)
    this.#remainder = new KnownRemainder(known)
    this.holes = new KnownHoles(holes)
  }

  endOfEvent(run: TextRun, begin: number): number {
    const { view, end: limit } = run
    if (begin + PRELUDE_LENGTH > limit) return -1
    const length = view.getUint32(begin)
    const end = begin + length
    if (end > limit || length > MAX_EVENT_LENGTH) return -1
    if (view.getUint32(begin + 4) !== this.#headersLength) return -1
    if (!this.#opening.isAt(view, begin + PRELUDE_LENGTH, limit)) return -1
    const hole = begin + PRELUDE_LENGTH + this.#opening.length
    const payloadEnd = this.holes.endIn(run, hole)
    if (payloadEnd === -1 || payloadEnd + CHECKSUM_LENGTH !== end) return -1
    return this.#isWhole(run, begin, { hole, payloadEnd }) ? end : -1
  }

  /** A frame is no text, so each text is looked at by itself before it is taken. */
  isSound(run: TextRun): boolean {
    return run.hasSoundTexts
  }

  /** Whether both checksums are right. */
  #isWhole({ bytes, view }: TextRun, begin: number, { hole, payloadEnd }: Places): boolean {
    const lengths = remainderOver(NO_REMAINDER, bytes, begin, begin + 8)
    if (checksumOf(lengths) !== view.getUint32(begin + 8)) return false
    const prelude = remainderOver(lengths, bytes, begin + 8, begin + PRELUDE_LENGTH)
    const all = remainderOver(this.#remainder.after(prelude), bytes, hole, payloadEnd)
    return checksumOf(all) === view.getUint32(payloadEnd)
  }
}

/** Where the first hole of a frame begins, and where its payload ends. */
interface Places {
  readonly hole: number
  readonly payloadEnd: number
}
