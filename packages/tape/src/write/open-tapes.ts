import type { TapeRedaction } from '../redact/redaction.ts'
import type { TapeWriter } from './tape-writer.ts'

/** A tape that is being written. */
export interface OpenTape {
  readonly writer: TapeWriter
  readonly redaction: TapeRedaction
  /** Exchanges that are not over. */
  running: number
}

/** More tapes than these are open only while exchanges are recorded on them. */
const MAX_OPEN_TAPES = 64

/** The session of requests that name none. */
const NO_SESSION = ''

/** The open tapes of a recorder by their sessions: an LRU cache that closes tapes instead of forgetting them. */
export class OpenTapes {
  /** The one used last at the end. */
  readonly #tapes = new Map<string, OpenTape>()

  /** The tape of a session, if it is open; it counts as used. */
  get(name: string | undefined): OpenTape | undefined {
    const session = name ?? NO_SESSION
    const tape = this.#tapes.get(session)
    if (tape === undefined) return undefined
    this.#tapes.delete(session)
    this.#tapes.set(session, tape)
    return tape
  }

  /** Adds a tape, and closes the one that was not used for the longest time if there are too many. */
  add(session: string | undefined, tape: OpenTape): void {
    this.#tapes.set(session ?? NO_SESSION, tape)
    if (this.#tapes.size > MAX_OPEN_TAPES) this.#closeOldest()
  }

  /** Writes the lines that were gathered. */
  flush(): void {
    for (const { writer } of this.#tapes.values()) writer.flush()
  }

  close(): void {
    for (const { writer } of this.#tapes.values()) writer.close()
    this.#tapes.clear()
  }

  #closeOldest(): void {
    for (const [session, { writer, running }] of this.#tapes) {
      if (running > 0 || session === NO_SESSION) continue
      writer.close()
      this.#tapes.delete(session)
      return
    }
  }
}
