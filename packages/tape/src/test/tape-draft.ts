import { existsSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { defaultRedaction, type TapeRedaction } from '../redact/redaction.ts'
import { ChunkQueue } from '../write/chunk-queue.ts'
import { createTape } from '../write/create-tape.ts'
import { ExchangeWriter } from '../write/exchange-writer.ts'
import { microseconds } from '../write/microseconds.ts'
import { recordExchange } from '../write/record-exchange.ts'
import type { TapeWriter } from '../write/tape-writer.ts'
import type { ExchangeRecorder } from '../write/traffic.ts'

/** What a new tape is called, and whose it is. */
export interface TapeDraftOptions {
  readonly folder: string
  /** The name of the test. */
  readonly test: string
  /** The folder that the recorded program works in; by default this one. */
  readonly workspace?: string
  /** What else must not be written down. */
  readonly secrets?: readonly string[]
}

/** What the headers of such tapes name as their writer. */
const TOOL = 'hydra-use-tape'

/** A tape while a test records it. It takes the place of an older one only when it is kept. */
export class TapeDraft {
  readonly #folder: string
  readonly #draft: string
  readonly #writer: TapeWriter
  readonly #redaction: TapeRedaction
  readonly #queue = new ChunkQueue(0, () => {})
  #problem: string | undefined
  #exchanges = 0
  #skipped = 0

  constructor({ folder, test, workspace = process.cwd(), secrets = [] }: TapeDraftOptions) {
    this.#folder = folder
    this.#draft = `${folder}.new`
    const redaction = defaultRedaction(process.env, homedir(), secrets)
    this.#redaction = redaction.forTape()
    rmSync(this.#draft, { recursive: true, force: true })
    this.#writer = createTape({
      folder: this.#draft,
      header: {
        tool: TOOL,
        session: this.#redaction.text(test),
        workspace: this.#redaction.text(workspace),
        redaction: redaction.name,
      },
      started: microseconds(),
      onProblem: (message) => void (this.#problem = message),
    })
  }

  /** How many requests were recorded. */
  get exchanges(): number {
    return this.#exchanges
  }

  begin(): ExchangeRecorder {
    this.#exchanges += 1
    return recordExchange({
      writer: new ExchangeWriter(this.#writer),
      redaction: this.#redaction,
      now: () => microseconds() + this.#skipped,
      queue: this.#queue,
      onDone: () => {},
    })
  }

  /** Goes on as if a time in microseconds had passed: what is replayed at once took its time when it was recorded. */
  skip(span: number): void {
    this.#skipped += Math.max(0, span)
  }

  /** Puts the tape in its place; throws if it could not be written. */
  keep(): void {
    this.#close()
    if (this.#problem !== undefined) throw new Error(this.#problem)
    if (existsSync(this.#folder)) rmSync(this.#folder, { recursive: true })
    renameSync(this.#draft, this.#folder)
  }

  /** Leaves everything as it was before. */
  discard(): void {
    this.#close()
    rmSync(this.#draft, { recursive: true, force: true })
  }

  #close(): void {
    this.#queue.drain()
    this.#writer.close()
  }
}
