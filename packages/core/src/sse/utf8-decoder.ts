const EMPTY = new Uint8Array(0)
/** One for all streams: it is only asked for whole characters, so it keeps nothing between two reads. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** The length of the UTF-8 sequence that a byte begins, 1 for bytes that begin none. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

/** Where the bytes of a character that the read cut off begin, or the length if none is cut. */
function completeLength(bytes: Uint8Array): number {
  const last = bytes.length - 1
  for (let back = 0; back < 3 && back <= last; back += 1) {
    const byte = bytes[last - back] as number
    if (byte < 0x80) break
    if (byte >= 0xc0) return sequenceLength(byte) > back + 1 ? last - back : bytes.length
  }
  return bytes.length
}

/**
 * Turns reads of a UTF-8 stream into text, joining characters that were cut between two reads.
 * `TextDecoder` can do that too, but its streaming mode costs several times as much per read.
 */
export class Utf8Decoder {
  #pending: Uint8Array = EMPTY
  #atStart = true

  decode(bytes: Uint8Array): string {
    const input = this.#pending.length === 0 ? bytes : this.#joined(bytes)
    const complete = completeLength(input)
    this.#pending = complete === input.length ? EMPTY : input.slice(complete)
    const text = DECODER.decode(complete === input.length ? input : input.subarray(0, complete))
    return this.#atStart ? this.#withoutBom(text) : text
  }

  /** No character has been read in part. */
  get isBetweenCharacters(): boolean {
    return this.#pending.length === 0
  }

  #joined(bytes: Uint8Array): Uint8Array {
    const joined = new Uint8Array(this.#pending.length + bytes.length)
    joined.set(this.#pending)
    joined.set(bytes, this.#pending.length)
    return joined
  }

  #withoutBom(text: string): string {
    if (text === '') return text
    this.#atStart = false
    return text.startsWith('\uFEFF') ? text.slice(1) : text
  }
}
