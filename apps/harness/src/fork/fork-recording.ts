import { type ExchangeRecorder, type Recording, type Tape, TapeDraft } from '@hydra/tape'
import type { CameRequest } from '../rerun/front.ts'
import { recordReplayed } from './record-replayed.ts'

/** Where a session is forked, and where the fork is recorded. */
export interface ForkPlace {
  readonly at: number
  readonly folder: string
  /** The folder that the agent works in. */
  readonly workspace: string
}

/** The tape of a fork: what was replayed, and what the proxy of the other model heard. */
export class ForkRecording {
  readonly #source: Tape
  readonly #place: ForkPlace
  #draft: TapeDraft | undefined
  #replays = 0

  constructor(source: Tape, place: ForkPlace) {
    this.#source = source
    this.#place = place
  }

  /** Begins the tape, and gives the recorder for the proxy of the other model. */
  begin(secrets: readonly string[]): { begin(): ExchangeRecorder } {
    const { at, folder, workspace } = this.#place
    const test = `fork of ${this.#source.folder} at ${at}`
    this.#draft = new TapeDraft({ folder, test, workspace, secrets })
    return this.#draft
  }

  get draft(): TapeDraft {
    if (this.#draft === undefined) throw new Error('expected begin() to be called first')
    return this.#draft
  }

  /** How many exchanges were answered from the source. */
  get replays(): number {
    return this.#replays
  }

  /** Writes an exchange that was answered from the source. */
  replayed(recording: Recording, came: CameRequest): void {
    const source = this.#source.exchanges.find(({ number }) => number === recording.exchange)
    if (source === undefined) return
    this.#replays += 1
    recordReplayed(this.draft, { source, recording, came })
  }
}
