import type { HubUsage, Note } from '@hydra/core'
import type { ExchangeEnd, Leg, LineType, TapeData, Via } from '../format/lines.ts'
import { bufferOf } from '../format/taped-bytes.ts'
import type { EventFrame } from '../redact/event-frame.ts'
import type { AnyHeaders } from '../redact/headers.ts'
import { Piece } from '../redact/piece.ts'
import type { TapeRedaction } from '../redact/redaction.ts'
import type { StreamRedaction } from '../redact/stream-redaction.ts'
import type { ChunkBatch, ChunkLeg, LegCounts } from './chunk-batch.ts'
import { type ChunkQueue, type ChunkTaker, type HeldChunk, NOTHING_HELD, NOWHERE } from './chunk-queue.ts'
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

/** Something that happened and cannot be written yet. */
interface Waiting {
  readonly at: number
  readonly leg: Leg
  /** A chunk, or a line that is complete. */
  readonly piece?: Piece
  readonly write?: () => void
}

/** What became of the secrets in a chunk, and its number in its leg. */
interface LookedAt {
  readonly given: Given
  readonly index: number
}

/** A chunk that may have to be covered, or the frame of one that is written as it is. */
type Given = EventFrame | Piece

type GivenChunks = Readonly<Record<keyof LegCounts, readonly Given[]>>

const NO_CHUNKS: LegCounts = { upstream: 0, client: 0 }

/** More than these never wait: a secret that takes longer to decide is decided by what is known of it. */
const MOST_WAITING = 512

/** More chunks than these are not held to be looked at again with those that follow. */
const MOST_HELD = 16

/**
 * Takes down one exchange. A chunk whose end may be the beginning of a secret waits until the next one decides, and
 * so does everything that happens after it in this exchange: what is on the tape is always a beginning of what happened.
 */
export class RecordedExchange implements ExchangeRecorder, ChunkTaker {
  readonly #writer: ExchangeWriter
  readonly #redaction: TapeRedaction
  readonly #now: () => number
  readonly #queue: ChunkQueue
  readonly #onDone: () => void
  readonly #client: StreamRedaction
  #upstream: StreamRedaction
  #waiting: Waiting[] = []
  #isDone = false
  first: number = NOWHERE
  last: number = NOWHERE
  held: readonly HeldChunk[] = NOTHING_HELD

  constructor({ writer, redaction, now, queue, onDone }: ExchangeParts) {
    this.#writer = writer
    this.#redaction = redaction
    this.#now = now
    this.#queue = queue
    this.#onDone = onDone
    this.#client = redaction.stream()
    this.#upstream = redaction.stream()
  }

  clientRequest(request: RequestHead, body: string | Uint8Array): void {
    this.#request('c>', request, body)
  }

  upstreamRequest(request: RequestHead, body: string | Uint8Array, via: Via): void {
    this.#queue.drainFor(this)
    // The answer before this one was given up.
    this.#upstream.cut()
    this.#upstream = this.#redaction.stream()
    this.#request('>u', request, body, via)
  }

  upstreamHead(status: number, headers: AnyHeaders): void {
    this.#head('u>', status, headers)
  }

  upstreamData(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isDone) return
    this.#queue.add(this, 'u>', this.#now(), bytes)
  }

  upstreamEnd(): void {
    this.#queue.drainFor(this)
    this.#upstream.end()
    this.#end('u>')
  }

  clientHead(status: number, headers: AnyHeaders): void {
    this.#head('>c', status, headers)
  }

  clientData(piece: string | Uint8Array): void {
    if (piece.length === 0 || this.#isDone) return
    this.#queue.add(this, '>c', this.#now(), piece)
  }

  /**
   * Almost all events are like those before them but for their text: they are taken together. The last of them are left
   * to wait if a word in them may go on, for to look at them again costs less than to keep an account of them.
   */
  take(batch: ChunkBatch, canWait: boolean): number {
    if (this.#isDone) return 0
    const begun = this.#takeAlike(batch)
    const left = batch.count - begun.upstream - begun.client
    if (left === 0) return 0
    if (canWait && left <= MOST_HELD && batch.isAlike) return left
    const upstream = this.#upstream.pushAll(batch.upstream, begun.upstream)
    const client = this.#client.pushAll(batch.client, begun.client)
    this.#flush()
    this.#chunks(batch, begun, { upstream, client })
    return 0
  }

  clientEnd(): void {
    this.#queue.drainFor(this)
    this.#client.end()
    this.#end('>c')
  }

  abort(by: TapeData['abort']['by'], reason?: string): void {
    this.#queue.drainFor(this)
    const leg = by === 'client' ? '>c' : by === 'upstream' ? 'u>' : ''
    if (by !== 'upstream') this.#client.cut()
    this.#upstream.cut()
    this.#event(leg, 'abort', {
      by,
      ...(reason === undefined ? {} : { reason: this.#redaction.text(reason) }),
    })
  }

  timeout(reason: string): void {
    this.#queue.drainFor(this)
    this.#upstream.cut()
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

  done(outcome: ExchangeEnd['outcome']): void {
    if (this.#isDone) return
    this.#queue.drainFor(this)
    this.#upstream.cut()
    this.#client.cut()
    this.#then('', (at) => this.#writer.done(at, outcome))
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
      body: redaction.canBeCut ? this.#lasting(body) : redaction.bytes(this.#lasting(body)),
      ...(redaction.canBeCut ? { redact: (piece: Uint8Array) => redaction.bytes(piece) } : {}),
      ...(via === undefined ? {} : { via: { ...redaction.values(via), dialect: via.dialect } }),
    }
    this.#then(leg, (at) => this.#writer.request(at, leg, written))
  }

  /** Whoever sends a body may use its bytes again; if it cannot be written at once, it is copied. */
  #lasting(body: string | Uint8Array): Uint8Array {
    const bytes = bufferOf(body)
    return this.#waiting.length === 0 || typeof body === 'string' ? bytes : Uint8Array.from(bytes)
  }

  #head(leg: ChunkLeg, status: number, headers: AnyHeaders): void {
    const head = { status, headers: this.#redaction.headers(headers) }
    this.#then(leg, (at) => this.#writer.head(at, leg, head))
  }

  #end(leg: ChunkLeg): void {
    this.#then(leg, (at) => this.#writer.end(at, leg))
  }

  #event<Type extends Exclude<LineType, 'req' | 'res' | 'd' | 'end'>>(
    leg: Leg,
    type: Type,
    data: TapeData[Type],
  ): void {
    this.#then(leg, (at) => this.#writer.event(at, leg, { type, data }))
  }

  #then(leg: Leg, write: (at: number) => void): void {
    if (this.#isDone) return
    this.#queue.drainFor(this)
    const at = this.#now()
    this.#wait({ at, leg, write: () => write(at) })
    this.#flush()
  }

  /** Takes the events at the beginning of a batch that can be written as they are, and gives how many there are. */
  #takeAlike(batch: ChunkBatch): LegCounts {
    const counts = batch.beginning({
      upstream: this.#upstream.look(batch.upstream),
      client: this.#client.look(batch.client),
    })
    const { upstream, client } = counts
    if (upstream + client === 0) return counts
    const frames = { 'u>': this.#upstream.pass(upstream), '>c': this.#client.pass(client) }
    this.#flush()
    if (this.#waiting.length === 0) this.#writer.run(batch, counts, frames)
    else {
      const given = { upstream: timesOver(upstream, frames['u>']), client: timesOver(client, frames['>c']) }
      this.#chunks(batch, NO_CHUNKS, given)
    }
    return counts
  }

  /** Writes the next chunks of a batch, or lets them wait: as many as it is known what became of their secrets. */
  #chunks(batch: ChunkBatch, before: LegCounts, given: GivenChunks): void {
    let { upstream, client } = before
    const end = upstream + client + given.upstream.length + given.client.length
    for (let place = upstream + client; place < end; place += 1) {
      const isUpstream = batch.legs[place] === 'u>'
      const index = isUpstream ? upstream : client
      const one = isUpstream ? given.upstream[index - before.upstream] : given.client[index - before.client]
      if (isUpstream) upstream += 1
      else client += 1
      if (one !== undefined) this.#chunk(batch, place, { given: one, index })
    }
    this.#writer.settle()
  }

  /** Writes a chunk if it need not wait, neither for itself nor for what came before it. */
  #chunk(batch: ChunkBatch, place: number, { given, index }: LookedAt): void {
    const at = batch.times[place] ?? 0
    const leg = batch.legs[place] ?? 'u>'
    const chunks = leg === 'u>' ? batch.upstream : batch.client
    const isFree = this.#waiting.length === 0
    if (given instanceof Piece) {
      if (isFree && given.holders === 0) this.#writer.latin1(at, leg, given.text)
      else this.#wait({ at, leg, piece: given })
    } else if (isFree) this.#writer.framed(at, leg, { chunks, index, frame: given })
    else this.#wait({ at, leg, piece: new Piece(chunks.textOf(index)) })
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#waiting.length <= MOST_WAITING) return
    this.#upstream.cut()
    this.#client.cut()
    this.#flush()
  }

  #flush(): void {
    let done = 0
    for (const { at, leg, piece, write } of this.#waiting) {
      if (piece !== undefined && piece.holders > 0) break
      if (piece !== undefined) this.#writer.latin1(at, leg as ChunkLeg, piece.text)
      else write?.()
      done += 1
    }
    if (done > 0) this.#waiting.splice(0, done)
  }
}

function timesOver<Value>(count: number, value: Value | undefined): readonly Value[] {
  return value === undefined ? [] : Array.from({ length: count }, () => value)
}
