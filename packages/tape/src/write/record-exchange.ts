import type { Cost, HubUsage, Note } from '@hydra/core'
import type { ExchangeEnd, Leg, LineType, TapeData, Via } from '../format/lines.ts'
import { bufferOf } from '../format/taped-bytes.ts'
import type { ChunkBatch, ChunkLeg } from '../redact/alike/chunk-batch.ts'
import { ExchangeRedaction } from '../redact/alike/exchange-redaction.ts'
import type { AnyHeaders } from '../redact/headers.ts'
import { Piece } from '../redact/piece.ts'
import type { TapeRedaction } from '../redact/redaction.ts'
import { type ChunkQueue, QueuedChunks } from './chunk-queue.ts'
import type { ExchangeWriter } from './exchange-writer.ts'
import type { ExchangeRecorder, RequestHead } from './traffic.ts'

/** What an exchange is recorded with. */
export interface ExchangeParts {
  readonly writer: ExchangeWriter
  readonly redaction: TapeRedaction
  /** The time in microseconds since the epoch. */
  readonly now: () => number
  /** Where chunks wait until they are worked on. */
  readonly queue: ChunkQueue
  /** Called when nothing more is written. */
  readonly onDone: () => void
}

/** A chunk whose secrets are not decided, or a complete line behind one, in the order in which they happened. */
type PendingLine =
  | { readonly piece: Piece; readonly at: number; readonly leg: ChunkLeg }
  | { readonly piece: undefined; readonly write: () => void }

/** More lines than these are never pending: what may be the beginning of a secret is then taken for one. */
const MAX_PENDING = 512

/**
 * Records one exchange. A chunk whose end may be the beginning of a secret is pending until the next one decides, and
 * so is everything that happens after it in this exchange: a tape is always a beginning of what happened.
 */
export function recordExchange(parts: ExchangeParts): ExchangeRecorder {
  return new RecordedExchange(parts)
}

class RecordedExchange implements ExchangeRecorder {
  readonly #writer: ExchangeWriter
  readonly #redaction: TapeRedaction
  readonly #answers: ExchangeRedaction
  readonly #now: () => number
  readonly #queue: ChunkQueue
  readonly #chunks: QueuedChunks
  readonly #onDone: () => void
  #pending: PendingLine[] = []
  #isDone = false

  constructor({ writer, redaction, now, queue, onDone }: ExchangeParts) {
    this.#writer = writer
    this.#redaction = redaction
    this.#answers = new ExchangeRedaction(redaction)
    this.#now = now
    this.#queue = queue
    this.#chunks = new QueuedChunks((batch, canWait) => this.#take(batch, canWait))
    this.#onDone = onDone
  }

  clientRequest(request: RequestHead, body: string | Uint8Array): void {
    this.#request('c>', request, body)
  }

  upstreamRequest(request: RequestHead, body: string | Uint8Array, via: Via): void {
    this.#queue.drainFor(this.#chunks)
    this.#answers.nextCall()
    this.#request('>u', request, body, via)
  }

  upstreamHead(status: number, headers: AnyHeaders): void {
    this.#head('u>', status, headers)
  }

  upstreamData(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isDone) return
    this.#queue.add(this.#chunks, 'u>', this.#now(), bytes)
  }

  upstreamEnd(): void {
    this.#queue.drainFor(this.#chunks)
    this.#answers.upstream.end()
    this.#end('u>')
  }

  clientHead(status: number, headers: AnyHeaders): void {
    this.#head('>c', status, headers)
  }

  clientData(piece: string | Uint8Array): void {
    if (piece.length === 0 || this.#isDone) return
    this.#queue.add(this.#chunks, '>c', this.#now(), piece)
  }

  clientEnd(): void {
    this.#queue.drainFor(this.#chunks)
    this.#answers.client.end()
    this.#end('>c')
  }

  abort(by: TapeData['abort']['by'], reason?: string): void {
    this.#queue.drainFor(this.#chunks)
    const leg = by === 'client' ? '>c' : by === 'upstream' ? 'u>' : ''
    if (by !== 'upstream') this.#answers.client.cut()
    this.#answers.upstream.cut()
    const words = reason === undefined ? {} : { reason: this.#redaction.text(reason) }
    this.#event(leg, 'abort', { by, ...words })
  }

  timeout(reason: string): void {
    this.#queue.drainFor(this.#chunks)
    this.#answers.upstream.cut()
    this.#event('', 'timeout', { reason: this.#redaction.text(reason) })
  }

  retry(reason: string, pause: number): void {
    this.#event('', 'retry', { reason: this.#redaction.text(reason), pause })
  }

  note(note: Note): void {
    this.#event('', 'note', this.#redaction.values(note))
  }

  usage(usage: HubUsage): void {
    this.#event('', 'usage', usage)
  }

  done(outcome: ExchangeEnd['outcome'], cost?: Cost): void {
    if (this.#isDone) return
    this.#queue.drainFor(this.#chunks)
    this.#answers.cut()
    this.#line((at) => this.#writer.done(at, outcome, cost && this.#redaction.values(cost)))
    this.#isDone = true
    this.#onDone()
  }

  #request(leg: 'c>' | '>u', request: RequestHead, body: string | Uint8Array, via?: Via): void {
    if (this.#isDone) return
    const redaction = this.#redaction
    const written = {
      method: request.method,
      path: redaction.text(request.path),
      headers: redaction.headers(request.headers),
      body: redaction.canBeCut ? this.#ownBytes(body) : redaction.bytes(this.#ownBytes(body)),
      ...(redaction.canBeCut ? { redact: (piece: Uint8Array) => redaction.bytes(piece) } : {}),
      ...(request.dialect === undefined ? {} : { dialect: request.dialect }),
      ...(via === undefined ? {} : { via: { ...redaction.values(via), dialect: via.dialect } }),
    }
    this.#line((at) => this.#writer.request(at, leg, written))
  }

  /** The sender of a body may use its bytes again: what cannot be written at once is copied. */
  #ownBytes(body: string | Uint8Array): Uint8Array {
    const bytes = bufferOf(body)
    return this.#pending.length === 0 || typeof body === 'string' ? bytes : Uint8Array.from(bytes)
  }

  #head(leg: ChunkLeg, status: number, headers: AnyHeaders): void {
    const head = { status, headers: this.#redaction.headers(headers) }
    this.#line((at) => this.#writer.head(at, leg, head))
  }

  #end(leg: ChunkLeg): void {
    this.#line((at) => this.#writer.end(at, leg))
  }

  #event<Type extends Exclude<LineType, 'req' | 'res' | 'd' | 'end'>>(
    leg: Leg,
    type: Type,
    data: TapeData[Type],
  ): void {
    this.#line((at) => this.#writer.event(at, leg, { type, data }))
  }

  /** Something happened that is not a chunk: it is written behind the chunks that came before it. */
  #line(write: (at: number) => void): void {
    if (this.#isDone) return
    this.#queue.drainFor(this.#chunks)
    const at = this.#now()
    this.#addPending({ piece: undefined, write: () => write(at) })
    this.#writePending()
  }

  /** Writes the chunks of a batch, or those of them that need not wait; returns how many it took. */
  #take(batch: ChunkBatch, canWait: boolean): number {
    if (this.#isDone) return batch.count
    const { upstream, client } = this.#answers.redact(batch, canWait)
    this.#writePending()
    const count = upstream.length + client.length
    let fromUpstream = 0
    for (let place = 0; place < count; place += 1) {
      const isUpstream = batch.legs[place] === 'u>'
      const index = isUpstream ? fromUpstream : place - fromUpstream
      const redacted = isUpstream ? upstream[index] : client[index]
      if (isUpstream) fromUpstream += 1
      if (redacted === undefined) continue
      const at = batch.times[place] ?? 0
      const leg = isUpstream ? 'u>' : '>c'
      const chunks = isUpstream ? batch.upstream : batch.client
      if (redacted instanceof Piece) this.#piece({ piece: redacted, at, leg })
      else if (this.#pending.length === 0) this.#writer.like(at, leg, { chunks, index, template: redacted })
      else this.#addPending({ piece: new Piece(chunks.textOf(index)), at, leg })
    }
    this.#writer.settle()
    return count
  }

  /** Writes a piece if it need not wait, neither for itself nor for what came before it. */
  #piece(line: PendingLine & { readonly piece: Piece }): void {
    if (this.#pending.length > 0 || line.piece.holders > 0) this.#addPending(line)
    else this.#writer.latin1(line.at, line.leg, line.piece.text)
  }

  #addPending(line: PendingLine): void {
    this.#pending.push(line)
    if (this.#pending.length <= MAX_PENDING) return
    this.#answers.cut()
    this.#writePending()
  }

  /** Writes what is decided, up to the first piece that is not. */
  #writePending(): void {
    let written = 0
    for (const line of this.#pending) {
      if (line.piece === undefined) line.write()
      else if (line.piece.holders === 0) this.#writer.latin1(line.at, line.leg, line.piece.text)
      else break
      written += 1
    }
    if (written > 0) this.#pending.splice(0, written)
  }
}
