import { Buffer } from 'node:buffer'
import { ROOM, type RoomPool } from './room-pool.ts'

/** Where bytes lie among those of their exchange. */
export interface Span {
  readonly start: number
  readonly end: number
}

const NOT_KEPT = -1

/** The bytes of one exchange, both legs in the order in which they came. */
export class KeptBytes {
  readonly #pool: RoomPool
  readonly #limit: number
  readonly #rooms: Buffer[] = []
  #room: Buffer = Buffer.alloc(0)
  /** What is free in the room that is being filled. */
  #left = 0
  #end = 0
  #charged = 0
  #state: 'open' | 'full' | 'dropped' = 'open'

  /** From the limit on nothing more is kept. */
  constructor(pool: RoomPool, limit: number = Infinity) {
    this.#pool = pool
    this.#limit = limit
  }

  /** What is held in memory, in bytes. */
  get size(): number {
    return this.#charged
  }

  /** There was more than may be kept of one exchange. */
  get isFull(): boolean {
    return this.#state === 'full'
  }

  /** Adds bytes, and gives where they begin; -1 if they are not kept. */
  append(bytes: Uint8Array): number {
    const start = this.#begin(bytes.length)
    if (start === NOT_KEPT) return start
    for (let from = 0; from < bytes.length;) {
      const to = from + this.#space(bytes.length - from)
      this.#room.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), ROOM - this.#left)
      this.#left -= to - from
      from = to
    }
    return start
  }

  /** Adds a text that has one byte per character, and gives where it begins; -1 if it is not kept. */
  appendAscii(text: string): number {
    const start = this.#begin(text.length)
    if (start === NOT_KEPT) return start
    for (let from = 0; from < text.length;) {
      const to = from + this.#space(text.length - from)
      this.#room.write(text.slice(from, to), ROOM - this.#left, 'latin1')
      this.#left -= to - from
      from = to
    }
    return start
  }

  /** Adds a body. */
  body(body: string | Uint8Array): Span {
    const isText = typeof body === 'string'
    const start =
      isText && isAscii(body) ? this.appendAscii(body) : this.append(isText ? Buffer.from(body) : body)
    return { start, end: start === NOT_KEPT ? start : this.#end }
  }

  /** A copy of bytes that were added: the memory itself may be another's soon. */
  read({ start, end }: Span): Buffer {
    if (this.#state === 'dropped' || start < 0 || end <= start) return Buffer.alloc(0)
    const parts: Buffer[] = []
    for (let at = start; at < end;) {
      const offset = at % ROOM
      const length = Math.min(end - at, ROOM - offset)
      parts.push((this.#rooms[Math.floor(at / ROOM)] ?? this.#room).subarray(offset, offset + length))
      at += length
    }
    return Buffer.concat(parts)
  }

  /** Counts memory that belongs to these bytes. */
  charge(bytes: number): void {
    if (this.#state === 'dropped') return
    this.#charged += bytes
    this.#pool.charge(bytes)
  }

  /** Gives the memory back; what comes now is not kept. */
  drop(): void {
    if (this.#state === 'dropped') return
    this.#state = 'dropped'
    this.#pool.giveBack(this.#rooms, this.#charged)
    this.#rooms.length = 0
    this.#charged = 0
    this.#left = 0
  }

  /** Makes place for a number of bytes, and says where it begins. What has a hole is read wrongly, so nothing comes behind what was not kept. */
  #begin(bytes: number): number {
    const start = this.#end
    if (this.#state === 'open' && start + bytes > this.#limit) this.#state = 'full'
    if (this.#state !== 'open') return NOT_KEPT
    this.#end = start + bytes
    return start
  }

  /** How many of the wanted bytes go into the room that is being filled. */
  #space(wanted: number): number {
    if (this.#left === 0) {
      this.#room = this.#pool.take()
      this.#rooms.push(this.#room)
      this.#charged += ROOM
      this.#left = ROOM
    }
    return Math.min(wanted, this.#left)
  }
}

/** Whether each character of a text is one byte in UTF-8. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
