import { endOfLastEvent } from '../sse/event-ends.ts'
import { ByteQueue } from './byte-queue.ts'

/** A line's end and the blank line after it may come in this many pieces. */
const LOOK_BACK = 3

const NOTHING = new Uint8Array(0)

/** Gathers the bytes of a stream until the events that they are part of are whole. */
export class WholeEvents {
  /** The beginning of an event. */
  readonly #rest = new ByteQueue()
  /** The last bytes before those that come next. */
  #before: Uint8Array = NOTHING

  /** The events that are whole with these bytes; nothing as long as none is. */
  push(bytes: Uint8Array): Uint8Array {
    const end = endOfLastEvent(bytes, this.#before)
    this.#before = lastOf(this.#before, bytes)
    if (end === 0) {
      this.#rest.push(bytes)
      return NOTHING
    }
    this.#rest.push(end === bytes.length ? bytes : bytes.subarray(0, end))
    const events = this.#rest.take()
    this.#rest.push(bytes.subarray(end))
    return events
  }

  /** How many bytes wait for the rest of their event. */
  get waiting(): number {
    return this.#rest.length
  }

  /** What has come of an event that is not whole. */
  takeRest(): Uint8Array {
    return this.#rest.take()
  }
}

function lastOf(before: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length >= LOOK_BACK) return bytes.subarray(-LOOK_BACK)
  const last = new Uint8Array(before.length + bytes.length)
  last.set(before)
  last.set(bytes, before.length)
  return last.subarray(-LOOK_BACK)
}
