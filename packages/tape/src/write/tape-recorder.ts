import type { Redaction } from '../redact/redaction.ts'
import { ChunkQueue } from './chunk-queue.ts'
import { ExchangeWriter } from './exchange-writer.ts'
import { microseconds } from './microseconds.ts'
import { openSessionTape, type SessionTapes } from './open-session-tape.ts'
import { type OpenTape, OpenTapes } from './open-tapes.ts'
import { recordExchange } from './record-exchange.ts'
import { gatheringOf, type RecordPolicy, RecordProblems } from './record-policy.ts'
import { makeRecordingsFolder } from './tape-folder.ts'
import type { ExchangeRecorder, TapedClient, TrafficRecorder } from './traffic.ts'

/** How traffic is recorded. */
export interface TapeRecorderOptions {
  /** The folder that the tapes go into, one folder each. */
  readonly folder: string
  readonly redaction: Redaction
  /** What happens when a tape cannot be written; `lenient` by default. */
  readonly policy?: RecordPolicy
  /** Called with what went wrong, once for each tape. */
  readonly onProblem: (message: string) => void
  /**
   * For how many milliseconds lines are gathered before they are written together. A system call for each line would
   * cost more than all the rest of the recording; what was gathered is lost if the process is killed. By default 50,
   * and 0 with the policy `strict`: then every line is on the tape before the traffic goes on.
   */
  readonly gather?: number
  /** What records, such as `hydra/0.1.0`. */
  readonly tool: string
  /** The folder that the recorded program works in, where that is known: a replay elsewhere rewrites its paths. */
  readonly workspace?: string
  /** The time in microseconds since the epoch. */
  readonly now?: () => number
}

/** Makes a recorder and the folder that it records to: what is wrong with that is reported now, before any request. */
export function createTapeRecorder(options: TapeRecorderOptions): TrafficRecorder {
  return new TapeRecorder(options)
}

class TapeRecorder implements TrafficRecorder {
  readonly #options: SessionTapes
  readonly #problems: RecordProblems
  readonly #tapes = new OpenTapes()
  readonly #queue: ChunkQueue
  readonly #onExit = (): void => this.close()
  #canOpen = true
  #isClosed = false

  constructor({
    policy = 'lenient',
    onProblem,
    gather,
    now = microseconds,
    ...options
  }: TapeRecorderOptions) {
    const { report } = (this.#problems = new RecordProblems(policy, onProblem))
    this.#options = { ...options, now, gather: gather ?? gatheringOf(policy), onProblem: report }
    this.#queue = new ChunkQueue(this.#options.gather, () => this.#tapes.flush())
    // A process that ends by itself, be it with an exception, loses nothing.
    process.on('exit', this.#onExit)
    try {
      makeRecordingsFolder(options.folder)
    } catch (thrown) {
      this.#canOpen = this.#problems.cannotOpen(thrown, 0)
    }
  }

  get failure(): string | undefined {
    return this.#problems.current
  }

  begin(client: TapedClient): ExchangeRecorder | undefined {
    const tape = this.#isClosed ? undefined : this.#tapeOf(client)
    const { current, lasting } = this.#problems
    this.#problems.refuseIfStrict(this.#options.folder, tape === undefined ? current : lasting)
    if (tape === undefined || tape.writer.failure !== undefined) return undefined
    tape.running += 1
    return recordExchange({
      writer: new ExchangeWriter(tape.writer),
      redaction: tape.redaction,
      now: this.#options.now,
      queue: this.#queue,
      onDone: () => void (tape.running -= 1),
    })
  }

  flush(): void {
    this.#queue.drain()
    this.#tapes.flush()
  }

  close(): void {
    this.#queue.drain()
    this.#isClosed = true
    process.off('exit', this.#onExit)
    this.#tapes.close()
  }

  #tapeOf(client: TapedClient): OpenTape | undefined {
    const known = this.#tapes.get(client.session)
    if (known !== undefined || !this.#canOpen) return known
    try {
      const opened = openSessionTape(client, this.#options)
      this.#problems.opened()
      this.#tapes.add(client.session, opened)
      return opened
    } catch (thrown) {
      // A folder that takes no tape for good takes none the next time either: one message is enough.
      this.#canOpen = this.#problems.cannotOpen(thrown, 1)
      return undefined
    }
  }
}
