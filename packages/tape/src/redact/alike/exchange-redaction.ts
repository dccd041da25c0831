import type { TapeRedaction } from '../redaction.ts'
import type { ChunkBatch, LegCounts } from './chunk-batch.ts'
import { LegRedaction, type RedactedChunk } from './leg-redaction.ts'

/** More chunks than these are not held to be looked at again with those that follow. */
const MAX_HELD = 16

/** What became of the chunks of a batch, leg by leg; of each it may be less than all. */
export interface RedactedBatch {
  readonly upstream: readonly RedactedChunk[]
  readonly client: readonly RedactedChunk[]
}

/** Redacts both answers of an exchange: the upstream's, of which there may be several, and the client's. */
export class ExchangeRedaction {
  readonly client: LegRedaction
  readonly #redaction: TapeRedaction
  #upstream: LegRedaction

  constructor(redaction: TapeRedaction) {
    this.#redaction = redaction
    this.client = new LegRedaction(redaction.stream())
    this.#upstream = new LegRedaction(redaction.stream())
  }

  /** The answer of the last call. */
  get upstream(): LegRedaction {
    return this.#upstream
  }

  /** An upstream is called, and the answer before this one is given up. */
  nextCall(): void {
    this.#upstream.cut()
    this.#upstream = new LegRedaction(this.#redaction.stream())
  }

  /** Nothing waits for either answer any longer. */
  cut(): void {
    this.#upstream.cut()
    this.client.cut()
  }

  /**
   * Redacts chunks and gives what became of them. If they can wait, the last ones may be left out: they
   * are to come again with the next batch. That is done with a few events that are like those before them and end within
   * a word, because to look at them twice costs less than to keep each as a piece until its word is decided.
   */
  redact(batch: ChunkBatch, canWait: boolean): RedactedBatch {
    const upstream = this.#upstream.begin(batch.upstream)
    const client = this.client.begin(batch.client)
    const counts = canWait ? this.#passable(batch, upstream.length, client.length) : undefined
    if (counts === undefined) {
      this.#upstream.finish(batch.upstream, upstream)
      this.client.finish(batch.client, client)
    } else {
      this.#upstream.pass(counts.upstream - upstream.length, upstream)
      this.client.pass(counts.client - client.length, client)
    }
    return { upstream, client }
  }

  /** How much of a batch needs no look at what follows; undefined if what does precedes what was redacted, or is too much. */
  #passable(batch: ChunkBatch, upstream: number, client: number): LegCounts | undefined {
    const most = { upstream: upstream + this.#upstream.passable, client: client + this.client.passable }
    const counts = batch.beginning(most)
    const isTooFew = counts.upstream < upstream || counts.client < client
    return isTooFew || batch.count - counts.upstream - counts.client > MAX_HELD ? undefined : counts
  }
}
