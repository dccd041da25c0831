import { Buffer } from 'node:buffer'
import { MAX_NUMBER_BYTES, readNumbers, writeNumber } from './numbers.ts'
import { ROOM, type RoomPool } from './room-pool.ts'

/** Where bytes lie among those of their exchange. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Bytes that came together. */
export interface KeptPiece {
  readonly leg: number
  /** Microseconds since the epoch. */
  readonly at: number
  readonly span: Span
}

/** How much of an exchange is kept, and when it began. */
interface KeptOptions {
  /** From this many bytes on nothing more is kept. */
  readonly limit?: number
  /** In microseconds; nothing comes before it. */
  readonly begun?: number
}

const NOT_KEPT = -1
/** The leg of bodies that came at once. */
const BODY = 0
/** A head is the leg, the time since the exchange began, and the length. */
const HEAD_NUMBERS = 3
const MAX_HEAD_BYTES = HEAD_NUMBERS * MAX_NUMBER_BYTES

/**
 * The bytes of one exchange, all legs in the order in which they came, each piece behind its head. They are copied: to
 * keep thousands of small buffers and strings would cost the garbage collector more than the copies cost. For the same
 * reason there is no list of the pieces: who wants them reads the heads.
 */
export class KeptBytes {
  readonly #pool: RoomPool
  readonly #limit: number
  readonly #begun: number
  readonly #rooms: Buffer[] = []
  #room: Buffer = Buffer.alloc(0)
  /** What is free in the room that is being filled. */
  #left = 0
  #end = 0
  #legs = BODY
  #charged = 0
  #state: 'open' | 'full' | 'dropped' = 'open'

  constructor(pool: RoomPool, { limit = Infinity, begun = 0 }: KeptOptions = {}) {
    this.#pool = pool
    this.#limit = limit
    this.#begun = begun
  }

  /** What is held in memory, in bytes. */
  get size(): number {
    return this.#charged
  }

  /** There was more than may be kept of one exchange. */
  get isFull(): boolean {
    return this.#state === 'full'
  }

  /** A number for one more leg. */
  newLeg(): number {
    this.#legs += 1
    return this.#legs
  }

  /** Adds bytes, or text in UTF-8, and gives where they begin; -1 if they are not kept. */
  add(leg: number, at: number, piece: string | Uint8Array): number {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
    const start = this.#begin(leg, at, length)
    if (start === NOT_KEPT) return start
    if (typeof piece !== 'string') this.#append(piece)
    else if (length === piece.length) this.#appendAscii(piece)
    else this.#append(Buffer.from(piece))
    return start
  }

  /** Adds a body. */
  body(body: string | Uint8Array): Span {
    const start = this.add(BODY, this.#begun, body)
    return { start, end: start === NOT_KEPT ? start : this.#end }
  }

  /** All pieces in the order in which they came; those that were not kept are empty. */
  *pieces(): Generator<KeptPiece> {
    if (this.#state === 'dropped') return
    for (let place = 0; place < this.#end;) {
      const offset = place % ROOM
      if (ROOM - offset < MAX_HEAD_BYTES) {
        place += ROOM - offset
        continue
      }
      const { numbers, end } = readNumbers(this.#roomOf(place), HEAD_NUMBERS, offset)
      const [leg = 0, since = 0, length = 0] = numbers
      const start = place - offset + end
      place = start + length
      yield { leg, at: this.#begun + since, span: { start, end: place } }
    }
  }

  /** A copy of bytes that were added: the memory itself may be another's soon. */
  read({ start, end }: Span): Buffer {
    if (this.#state === 'dropped' || start < 0 || end <= start) return Buffer.alloc(0)
    const parts: Buffer[] = []
    for (let at = start; at < end;) {
      const offset = at % ROOM
      const length = Math.min(end - at, ROOM - offset)
      parts.push(this.#roomOf(at).subarray(offset, offset + length))
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

  /** Writes the head of a piece. What has a hole is read wrongly, so nothing comes behind what was not kept but heads. */
  #begin(leg: number, at: number, length: number): number {
    if (this.#state === 'open' && this.#end + length > this.#limit) this.#state = 'full'
    if (this.#state === 'dropped') return NOT_KEPT
    const isKept = this.#state === 'open'
    if (this.#left < MAX_HEAD_BYTES) this.#nextRoom()
    const room = this.#room
    const from = ROOM - this.#left
    let place = writeNumber(room, leg, from)
    place = writeNumber(room, Math.max(0, at - this.#begun), place)
    place = writeNumber(room, isKept ? length : 0, place)
    this.#took(place - from)
    return isKept ? this.#end : NOT_KEPT
  }

  #append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const to = from + this.#space(bytes.length - from)
      this.#room.set(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to), ROOM - this.#left)
      this.#took(to - from)
      from = to
    }
  }

  /** A text that has one byte per character. */
  #appendAscii(text: string): void {
    for (let from = 0; from < text.length;) {
      const to = from + this.#space(text.length - from)
      this.#room.write(text.slice(from, to), ROOM - this.#left, 'latin1')
      this.#took(to - from)
      from = to
    }
  }

  /** How many of the wanted bytes go into the room that is being filled. */
  #space(wanted: number): number {
    if (this.#left === 0) this.#nextRoom()
    return Math.min(wanted, this.#left)
  }

  #took(bytes: number): void {
    this.#left -= bytes
    this.#end += bytes
  }

  #nextRoom(): void {
    this.#end += this.#left
    this.#room = this.#pool.take()
    this.#left = ROOM
    // To take a room may drop the oldest exchange, and that may be this one.
    if (this.#state === 'dropped') {
      this.#pool.giveBack([this.#room], ROOM)
      return
    }
    this.#rooms.push(this.#room)
    this.#charged += ROOM
  }

  #roomOf(place: number): Buffer {
    return this.#rooms[Math.floor(place / ROOM)] ?? this.#room
  }
}
