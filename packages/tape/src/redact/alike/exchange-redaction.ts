import type { TapeRedaction } from '../redaction.ts'
import type { ChunkBatch } from './chunk-batch.ts'
import { LegRedaction, type RedactedChunk } from './leg-redaction.ts'

/** More chunks than these are not held to be looked at again with those that follow. */
const MAX_HELD = 16

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
   * Redacts chunks and gives what became of them, in their order. If they can wait, the last ones may be left out: they
   * are to come again with the next batch. That is done with a few events that are like those before them and end within
   * a word, because to look at them twice costs less than to keep each as a piece until its word is decided.
   */
  redact(batch: ChunkBatch, canWait: boolean): readonly RedactedChunk[] {
    return (canWait ? this.#passAlike(batch) : undefined) ?? this.#redactAll(batch)
  }

  /** Passes all but the last chunks; undefined if not all are alike or too many would be held. */
  #passAlike(batch: ChunkBatch): readonly RedactedChunk[] | undefined {
    const { upstream, client } = batch
    const most = { upstream: this.#upstream.match(upstream), client: this.client.match(client) }
    if (upstream.run.count < upstream.count || client.run.count < client.count) return undefined
    const counts = batch.beginning(most)
    if (batch.count - counts.upstream - counts.client > MAX_HELD) return undefined
    const upstreamTemplate = this.#upstream.pass(counts.upstream)
    const clientTemplate = this.client.pass(counts.client)
    const redacted: RedactedChunk[] = []
    for (let place = 0; place < counts.upstream + counts.client; place += 1) {
      const template = batch.legs[place] === 'u>' ? upstreamTemplate : clientTemplate
      if (template !== undefined) redacted.push(template)
    }
    return redacted
  }

  #redactAll(batch: ChunkBatch): readonly RedactedChunk[] {
    const upstream = this.#upstream.redact(batch.upstream)
    const client = this.client.redact(batch.client)
    const redacted: RedactedChunk[] = []
    let fromUpstream = 0
    for (let place = 0; place < batch.count; place += 1) {
      const isUpstream = batch.legs[place] === 'u>'
      const one = isUpstream ? upstream[fromUpstream] : client[place - fromUpstream]
      if (isUpstream) fromUpstream += 1
      if (one !== undefined) redacted.push(one)
    }
    return redacted
  }
}
