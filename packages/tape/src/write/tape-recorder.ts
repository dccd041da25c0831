import { performance } from 'node:perf_hooks'
import { TapeError } from '../format/tape-error.ts'
import type { Redaction, TapeRedaction } from '../redact/redaction.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { ExchangeWriter } from './exchange-writer.ts'
import { lastMarkNumber } from './last-mark-number.ts'
import { createTape, reopenTape } from './open-tape.ts'
import { RecordedExchange } from './record-exchange.ts'
import { makeRecordingsFolder, newTapeFolder, tapesOfSession } from './tape-folder.ts'
import type { TapeWriter } from './tape-writer.ts'
import type { ExchangeRecorder, TapedClient } from './traffic.ts'

/** How traffic is recorded. */
export interface TapeRecorderOptions {
  /** The folder that the tapes go into, one folder each. */
  readonly folder: string
  readonly redaction: Redaction
  /**
   * What happens when a tape cannot be written. `lenient`: it is said once, and the traffic goes on unrecorded.
   * `strict`: it is said once, and from then on `begin` throws, so that nothing goes through that is not recorded.
   */
  readonly policy?: 'lenient' | 'strict'
  /** Told what went wrong, once for each tape. */
  readonly onProblem: (message: string) => void
  /**
   * For how many milliseconds lines are gathered before they are written together. A system call for each line would
   * cost more than all the rest of the recording; what was gathered is lost if the process is killed. By default 50,
   * and 0 with the policy `strict`: then every line is on the tape before the traffic goes on.
   */
  readonly gather?: number
  /** What records, such as `hydra/0.1.0`. */
  readonly tool: string
  /** The time in microseconds since the epoch. */
  readonly now?: () => number
}

/** Records the traffic of a gateway: one tape for each session that a client names, one for everything else. */
export interface TapeRecorder {
  /** A request came in. Undefined if it cannot be recorded; with the policy `strict` it throws a `TapeError` then. */
  begin(client: TapedClient): ExchangeRecorder | undefined
  /** What went wrong first; undefined while everything is recorded. */
  readonly failure: string | undefined
  /** Writes everything that was gathered. */
  flush(): void
  /** Closes all tapes; exchanges that are not over stay on them as interrupted. */
  close(): void
}

interface OpenTape {
  readonly writer: TapeWriter
  readonly redaction: TapeRedaction
  /** Exchanges that are not over. */
  running: number
}

const USUAL_GATHERING = 50

/** More tapes than these are open only while they are written. */
const MOST_OPEN_TAPES = 64

/** Makes a recorder, and the folder that it records to: what is wrong with it is told now, and no request waits for it. */
export function createTapeRecorder(options: TapeRecorderOptions): TapeRecorder {
  return new Recorder(options)
}

class Recorder implements TapeRecorder {
  readonly #options: TapeRecorderOptions
  readonly #now: () => number
  readonly #gather: number
  readonly #queue: ChunkQueue
  readonly #onExit = (): void => this.close()
  /** By session, the one used last at the end. */
  readonly #tapes = new Map<string, OpenTape>()
  #failure: string | undefined
  #cannotBegin = false
  #isClosed = false

  constructor(options: TapeRecorderOptions) {
    this.#options = options
    this.#now = options.now ?? microseconds
    this.#gather = options.gather ?? (options.policy === 'strict' ? 0 : USUAL_GATHERING)
    this.#queue = new ChunkQueue(this.#gather, () => this.#writeLines())
    // A process that ends by itself, be it with an exception, loses nothing.
    process.on('exit', this.#onExit)
    this.#attempt(() => makeRecordingsFolder(options.folder))
  }

  get failure(): string | undefined {
    return this.#failure
  }

  begin(client: TapedClient): ExchangeRecorder | undefined {
    const tape = this.#isClosed ? undefined : this.#tapeOf(client)
    if (this.#options.policy === 'strict' && this.#failure !== undefined) {
      throw new TapeError({ file: this.#options.folder, reason: this.#failure })
    }
    if (tape === undefined || tape.writer.failure !== undefined) return undefined
    tape.running += 1
    return new RecordedExchange({
      writer: new ExchangeWriter(tape.writer),
      redaction: tape.redaction,
      now: this.#now,
      queue: this.#queue,
      onDone: () => void (tape.running -= 1),
    })
  }

  flush(): void {
    this.#queue.drain()
    this.#writeLines()
  }

  close(): void {
    this.#queue.drain()
    this.#isClosed = true
    process.off('exit', this.#onExit)
    for (const { writer } of this.#tapes.values()) writer.close()
    this.#tapes.clear()
  }

  #writeLines(): void {
    for (const { writer } of this.#tapes.values()) writer.flush()
  }

  #tapeOf(client: TapedClient): OpenTape | undefined {
    const session = client.session ?? ''
    const known = this.#tapes.get(session)
    if (known !== undefined) {
      this.#tapes.delete(session)
      this.#tapes.set(session, known)
      return known
    }
    if (this.#cannotBegin) return undefined
    const opened = this.#open(client)
    if (opened === undefined) return undefined
    this.#tapes.set(session, opened)
    this.#closeOldest()
    return opened
  }

  #open(client: TapedClient): OpenTape | undefined {
    return this.#attempt(() => {
      // It may have been removed since the start.
      makeRecordingsFolder(this.#options.folder)
      return this.#reopen(client) ?? this.#create(client)
    })
  }

  /** A folder that takes no tape takes none the next time either: one message is enough. */
  #attempt<Result>(act: () => Result): Result | undefined {
    try {
      return act()
    } catch (thrown) {
      this.#cannotBegin = true
      this.#complain(thrown instanceof Error ? thrown.message : String(thrown))
      return undefined
    }
  }

  #create(client: TapedClient): OpenTape {
    const { folder, redaction, tool } = this.#options
    const rules = redaction.forTape()
    const started = this.#now()
    const writer = createTape({
      folder: newTapeFolder(folder, client, started),
      header: {
        tool,
        client: rules.text(client.name),
        ...(client.session === undefined ? {} : { session: rules.text(client.session) }),
        redaction: redaction.name,
      },
      started,
      onProblem: this.#complain,
      gather: this.#gather,
    })
    return { writer, redaction: rules, running: 0 }
  }

  /** A session that goes on after a restart goes on on its tape. */
  #reopen(client: TapedClient): OpenTape | undefined {
    if (client.session === undefined) return undefined
    const { folder, redaction } = this.#options
    const session = redaction.forTape().text(client.session)
    for (const tapeFolder of tapesOfSession(folder, client, session)) {
      const writer = reopenTape({
        folder: tapeFolder,
        onProblem: this.#complain,
        gather: this.#gather,
      })
      const last = lastMarkNumber(tapeFolder)
      if (writer !== undefined) return { writer, redaction: redaction.forTape(last), running: 0 }
    }
    return undefined
  }

  #closeOldest(): void {
    if (this.#tapes.size <= MOST_OPEN_TAPES) return
    for (const [session, { writer, running }] of this.#tapes) {
      if (running > 0 || session === '') continue
      writer.close()
      this.#tapes.delete(session)
      return
    }
  }

  readonly #complain = (message: string): void => {
    this.#failure ??= message
    try {
      this.#options.onProblem(message)
    } catch {
      // Whoever is told must not stop the traffic either.
    }
  }
}

const STARTED = performance.timeOrigin

/** The system's clock at the start, and from then on one that never goes backwards. */
function microseconds(): number {
  return Math.round((STARTED + performance.now()) * 1000)
}
