import { brokenFrame } from './broken-frame.ts'

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true })

/** The types of a value with a length of their own, in two bytes before it. */
const BINARY = 6
const STRING = 7

/** How many bytes a value of each other type has: true, false, byte, short, int, long, timestamp and uuid. */
const FIXED_LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
])

/** Reads the headers of a frame. Only texts are kept: no dialect asks for a header of another type. */
export function decodeFrameHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  const fields = new FieldReader(bytes)
  while (!fields.atEnd) {
    const name = DECODER.decode(fields.take(fields.uint8()))
    const type = fields.uint8()
    const value = fields.take(valueLength(type, name, fields))
    // The last header of a name counts, whatever its type.
    texts.delete(name)
    if (type === STRING) texts.set(name, DECODER.decode(value))
  }
  return texts
}

function valueLength(type: number, name: string, fields: FieldReader): number {
  if (type === BINARY || type === STRING) return fields.uint16()
  const length = FIXED_LENGTHS.get(type)
  if (length !== undefined) return length
  throw brokenFrame(`expected a header type of 0 to 9, got ${type} (header ${JSON.stringify(name)})`)
}

/** Takes one field after the other, and never one byte beyond the end. */
class FieldReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  take(length: number): Uint8Array {
    const begin = this.#skip(length)
    return this.#bytes.subarray(begin, begin + length)
  }

  uint8(): number {
    return this.#bytes[this.#skip(1)] as number
  }

  uint16(): number {
    const at = this.#skip(2)
    return (this.#bytes[at] as number) * 256 + (this.#bytes[at + 1] as number)
  }

  /** Goes on behind a field of this length, and gives where it begins. */
  #skip(length: number): number {
    const begin = this.#at
    const end = begin + length
    if (end > this.#bytes.length) {
      throw brokenFrame(`expected headers of ${this.#bytes.length} bytes, got one that ends at ${end}`)
    }
    this.#at = end
    return begin
  }
}
