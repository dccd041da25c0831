import { Buffer } from 'node:buffer'

/** The bytes of a room. */
export const ROOM: number = 8 * 1024
const SLAB = 128 * ROOM

/**
 * Memory in rooms of one size, used again and again: what is kept of traffic comes and goes all the time, and fresh
 * memory for it would cost more than the copies do.
 */
export class RoomPool {
  readonly #free: Buffer[] = []
  readonly #onGrown: () => void
  #held = 0

  /** The listener hears that more is held than before. */
  constructor(onGrown: () => void = () => {}) {
    this.#onGrown = onGrown
  }

  /** What is held, in bytes: rooms that are taken, and what else was charged. */
  get held(): number {
    return this.#held
  }

  take(): Buffer {
    if (this.#free.length === 0) {
      const slab = Buffer.allocUnsafeSlow(SLAB)
      for (let start = SLAB - ROOM; start >= 0; start -= ROOM)
        this.#free.push(slab.subarray(start, start + ROOM))
    }
    const room = this.#free.pop() ?? Buffer.allocUnsafeSlow(ROOM)
    this.charge(ROOM)
    return room
  }

  /** Counts bytes that are held elsewhere. */
  charge(bytes: number): void {
    this.#held += bytes
    this.#onGrown()
  }

  /** Takes rooms back, and forgets what was charged for them and beside them. */
  giveBack(rooms: readonly Buffer[], charged: number): void {
    this.#held -= charged
    for (const room of rooms) this.#free.push(room)
  }
}
