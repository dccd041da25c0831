import { isLasting, Memo } from '@hydra/core'
/** Strings from this length on are remembered. */
const LONG = 256
/** Longer ones, such as images, are not worth the memory. */
const TOO_LONG = 64 * 1024
/** How many bytes each generation of remembered strings may have. */
const MAX_REMEMBERED = 8 * 1024 * 1024
/** Below this level values are small, and the engine writes them faster than we do. */
const MAX_LEVEL = 5

const COMMA = ','
const encoder = new TextEncoder()

/**
 * Writes JSON as bytes, like `JSON.stringify` and an encoder after it. Agents send their system prompt, tools and
 * history again with every request: the bytes of long strings are remembered, because escaping and encoding them
 * is most of the work as soon as one character of a request is outside of Latin-1.
 */
export class JsonBytes {
  readonly #known = new Memo<string, Uint8Array>(MAX_REMEMBERED)
  readonly #knownObjects = new WeakMap<object, Uint8Array>()

  encode(value: object): Uint8Array {
    // A writer of its own for each value: one that fails halfway leaves nothing behind for the next.
    const writer = new JsonWriter(this)
    writer.write(value, 0)
    return writer.bytes()
  }

  /** The bytes of an object that lasts longer than its request: it is written once. */
  bytesOfLasting(item: object): Uint8Array {
    const known = this.#knownObjects.get(item)
    if (known !== undefined) return known
    const bytes = encoder.encode(JSON.stringify(item))
    this.#knownObjects.set(item, bytes)
    return bytes
  }

  bytesOfLong(text: string): Uint8Array {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const bytes = encoder.encode(JSON.stringify(text))
    this.#known.set(text, bytes, bytes.length)
    return bytes
  }
}

/** Puts the bytes of one value together. */
class JsonWriter {
  readonly #memory: JsonBytes
  readonly #pieces: Uint8Array[] = []
  #length = 0
  #text = ''

  constructor(memory: JsonBytes) {
    this.#memory = memory
  }

  bytes(): Uint8Array {
    this.#flush()
    const bytes = new Uint8Array(this.#length)
    let at = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }

  write(value: unknown, level: number): void {
    if (typeof value === 'string' && value.length >= LONG && value.length <= TOO_LONG) {
      this.#flush()
      this.#add(this.#memory.bytesOfLong(value))
    } else if (typeof value !== 'object' || value === null) {
      this.#text += JSON.stringify(value) ?? 'null'
    } else if (isLasting(value)) {
      this.#flush()
      this.#add(this.#memory.bytesOfLasting(value))
    } else if (level > MAX_LEVEL) {
      this.#text += JSON.stringify(value)
    } else if (Array.isArray(value)) this.#writeList(value, level)
    else this.#writeObject(value as Record<string, unknown>, level)
  }

  #writeList(list: readonly unknown[], level: number): void {
    let separator = '['
    for (const item of list) {
      this.#text += separator
      separator = COMMA
      this.write(item, level + 1)
      // Text with a character outside of Latin-1 takes twice the room and time, so it is kept apart.
      this.#flush()
    }
    this.#text += separator === COMMA ? ']' : '[]'
  }

  #writeObject(object: Record<string, unknown>, level: number): void {
    let separator = '{'
    for (const key in object) {
      const value = object[key]
      if (value === undefined) continue
      this.#text += `${separator}${JSON.stringify(key)}:`
      this.write(value, level + 1)
      separator = COMMA
    }
    this.#text += separator === COMMA ? '}' : '{}'
  }

  #flush(): void {
    if (this.#text === '') return
    this.#add(encoder.encode(this.#text))
    this.#text = ''
  }

  #add(bytes: Uint8Array): void {
    this.#pieces.push(bytes)
    this.#length += bytes.length
  }
}
