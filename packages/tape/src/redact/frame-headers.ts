import type { BodyParts } from './body-parts.ts'

/** How long the values of each type of header are, by its number; those of bytes and of strings say it themselves. */
const VALUE_LENGTHS: readonly (number | 'own')[] = [0, 0, 1, 2, 4, 8, 'own', 'own', 8, 16]

type Field = 'name length' | 'name' | 'type' | 'value length' | 'fixed value' | 'value' | 'unknown'

/** The headers of a binary frame. Only values of bytes and strings may be covered, never what says how long they are. */
export class FrameHeaders {
  readonly #parts: BodyParts
  #field: Field = 'name length'
  /** How many bytes of the field are still to come. */
  #left = 1
  /** The number that is being read. */
  #number = 0

  constructor(parts: BodyParts) {
    this.#parts = parts
  }

  /** What follows are the headers of another frame. */
  reset(): void {
    this.#begin('name length', 1)
  }

  /** Goes on with the bytes of a piece, from and to. */
  scan(bytes: string, from: number, to: number): void {
    for (let at = from; at < to && this.#field !== 'unknown';) {
      const end = Math.min(to, at + this.#left)
      this.#read(bytes, at, end)
      this.#left -= end - at
      at = end
      while (this.#left === 0) this.#next()
    }
  }

  #read(bytes: string, from: number, to: number): void {
    if (this.#field === 'value') return
    this.#parts.skip(from, to)
    for (let at = from; at < to; at += 1) this.#number = (this.#number * 256 + bytes.charCodeAt(at)) % 65_536
  }

  /** A field is over: its value decides what follows. */
  #next(): void {
    const number = this.#number
    switch (this.#field) {
      case 'name length':
        return this.#begin('name', number)
      case 'name':
        return this.#begin('type', 1)
      case 'type':
        return this.#beginValue(VALUE_LENGTHS[number])
      case 'value length':
        return this.#begin('value', number)
      default:
        return this.#begin('name length', 1)
    }
  }

  #beginValue(length: number | 'own' | undefined): void {
    if (length === undefined) this.#begin('unknown', 1)
    else if (length === 'own') this.#begin('value length', 2)
    else this.#begin('fixed value', length)
  }

  #begin(field: Field, length: number): void {
    this.#field = field
    this.#left = length
    this.#number = 0
  }
}
