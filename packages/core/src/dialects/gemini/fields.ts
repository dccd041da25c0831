import type { Notes } from '../../hub/note.ts'
import { expectArray, expectObject, pathTo, unexpected, unexpectedValue } from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { snakeOf } from './spelling.ts'

/**
 * The fields of an object of Google's protocol. Its JSON form takes every name in two spellings, `inlineData` and
 * `inline_data`, also mixed in one body, and null for what is absent.
 */
export class Fields {
  readonly path: string
  readonly #values: JsonObject
  /** The fields that were asked for; a list, because most objects have two or three. */
  readonly #known: string[] = []

  constructor(value: unknown, path: string) {
    this.#values = expectObject(value, path)
    this.path = path
  }

  /** The value of a field, by its name in camel case. */
  get(name: string): unknown {
    this.#known.push(name)
    return this.#values[name] ?? this.#values[snakeOf(name)] ?? undefined
  }

  /** The path of a field. */
  pathOf(name: string): string {
    return pathTo(this.path, name)
  }

  text(name: string): string | undefined {
    const value = this.get(name)
    if (value === undefined || typeof value === 'string') return value
    throw unexpected(this.pathOf(name), 'string', value)
  }

  /** A number; counts of 64 bits come as strings. */
  number(name: string, { least = -Infinity, most = Infinity }: Range = {}): number | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && number >= least && number <= most) return number
    throw unexpectedValue(this.pathOf(name), rangeWords(least, most), value)
  }

  /** A whole number. */
  count(name: string, least = 0): number | undefined {
    const value = this.number(name)
    if (value === undefined || (Number.isInteger(value) && value >= least)) return value
    throw unexpectedValue(this.pathOf(name), `integer of at least ${least}`, value)
  }

  /** A list; where one element is all there is, many clients leave out the brackets. */
  list(name: string): readonly unknown[] {
    const value = this.get(name)
    if (value === undefined) return []
    return typeof value === 'object' && !Array.isArray(value)
      ? [value]
      : expectArray(value, this.pathOf(name))
  }

  texts(name: string): string[] {
    return this.list(name).map((value, index) => {
      if (typeof value === 'string') return value
      throw unexpected(`${this.pathOf(name)}[${index}]`, 'string', value)
    })
  }

  /** The fields of an object, if it is there. */
  object(name: string): Fields | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : new Fields(value, this.pathOf(name))
  }

  /** A value of an enumeration by its name, however it is spelled; numbers are looked up. */
  word(name: string, numbers: readonly string[] = []): string | undefined {
    const value = this.get(name)
    if (value === undefined) return undefined
    if (typeof value === 'string') return value.toUpperCase()
    const named = typeof value === 'number' ? numbers[value] : undefined
    if (named !== undefined) return named
    throw unexpected(this.pathOf(name), 'string', value)
  }

  /** Notes each field that was not read. */
  noteOthers(notes: Notes): void {
    for (const name in this.#values) {
      const value = this.#values[name]
      if (value === null || value === undefined || this.#wasRead(name)) continue
      notes.add('field_ignored', this.pathOf(name), 'the hub has no equivalent')
    }
  }

  #wasRead(name: string): boolean {
    return this.#known.includes(name) || this.#known.some((known) => snakeOf(known) === name)
  }
}

interface Range {
  readonly least?: number
  readonly most?: number
}

function rangeWords(least: number, most: number): string {
  return least === -Infinity ? 'number' : `number from ${least} to ${most}`
}
