import { KnownBytes, viewOf } from '../../bytes/known-bytes.ts'
import { TextRun } from '../../bytes/text-run.ts'

/** What stands around the text of each event of a run. */
export class EventFrame {
  readonly opening: KnownBytes
  readonly closing: KnownBytes
  readonly #suffix: string
  #beforePadding: KnownBytes | undefined

  /** The frame of events whose data differ in nothing but what stands between these two. */
  constructor(prefix: string, suffix: string) {
    this.opening = new KnownBytes(`data: ${prefix}`)
    this.closing = new KnownBytes(`${suffix}\n\n`)
    this.#suffix = suffix
  }

  /** The end of an event up to the bracket that closes it, and the beginning of padding before that. */
  get beforePadding(): KnownBytes {
    this.#beforePadding ??= new KnownBytes(this.#suffix.slice(0, -1) + PADDING)
    return this.#beforePadding
  }
}

/** Texts that were found, and where the last of their events ends. */
export interface FoundRun {
  readonly texts: TextRun
  readonly end: number
}

/** OpenAI ends each chunk with random text, so that nobody can tell tokens by their length. */
export const PADDING = ',"obfuscation":"'
const AFTER_PADDING = new KnownBytes('"}\n\n')

/** One for all streams: what was found is written out before anything else is looked for. */
const shared = new TextRun()

/** Finds the texts of the events that follow one another from here on and have this frame. */
export function findRun(bytes: Uint8Array, from: number, frame: EventFrame): FoundRun | undefined {
  const view = viewOf(bytes)
  if (!frame.opening.isAt(view, from)) return undefined
  shared.reset(bytes)
  const end = collect(view, from + frame.opening.length, frame)
  return end !== -1 && shared.isSound(from, end) ? { texts: shared, end } : undefined
}

/** Collects texts, the first of which begins here; gives where the last event ends, -1 without any. */
function collect(view: DataView, first: number, frame: EventFrame): number {
  const { opening } = frame
  let begin = first
  let end = -1
  while (!shared.isFull) {
    const quote = shared.endOfText(begin)
    if (quote <= begin) return end
    const next = endOfEvent(view, quote, frame)
    if (next === -1) return end
    shared.add(begin, quote)
    end = next
    if (!opening.isAt(view, next)) return end
    begin = next + opening.length
  }
  return end
}

/** Where an event ends whose text ends here, -1 if it ends otherwise than those before it. */
function endOfEvent(view: DataView, quote: number, frame: EventFrame): number {
  if (frame.closing.isAt(view, quote)) return quote + frame.closing.length
  const { beforePadding } = frame
  if (!beforePadding.isAt(view, quote)) return -1
  let at = quote + beforePadding.length
  while (at < view.byteLength && isWordCharacter(view.getUint8(at))) at += 1
  return AFTER_PADDING.isAt(view, at) ? at + AFTER_PADDING.length : -1
}

function isWordCharacter(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f
  )
}
