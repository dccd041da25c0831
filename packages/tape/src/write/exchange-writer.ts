import { Buffer } from 'node:buffer'
import type { DialectName } from '@hydra/core'
import type { ExchangeEnd, Leg, LineType, TapeData, TapedBytes, TapedHeaders, Via } from '../format/lines.ts'
import { bufferOf, tapeBytes, tapeLatin1 } from '../format/taped-bytes.ts'
import type { ChunkLeg } from '../redact/alike/chunk-batch.ts'
import { LegHash } from './leg-hash.ts'
import type { ChunkLikeTemplate } from './line-buffer.ts'
import { ChunkLines, type TapeWriter } from './tape-writer.ts'

/** A leg that carries bytes. */
export type ByteLeg = Exclude<Leg, ''>

/** A request as it is written on a tape: secrets are gone, headers are chosen. */
export interface WrittenRequest {
  readonly method: string
  readonly path: string
  readonly headers: TapedHeaders
  readonly body: string | Uint8Array
  /** Replaces the secrets in a piece of the body, keeping its length; without it there are none. */
  readonly redact?: (piece: Uint8Array) => Uint8Array
  /** The dialect that the client speaks, on `c>`. */
  readonly dialect?: DialectName
  readonly via?: Via
}

/** A chunk that is larger is cut like a body. */
const MAX_CHUNK = 65_536

const NOT_ASCII = /[\u0080-\u00ff]/

/** What is known of a leg that answers are written on. */
interface AnswerLeg {
  readonly hash: LegHash
  readonly lines: ChunkLines
}

/** In the order in which their hashes are written. */
const LEGS: readonly ByteLeg[] = ['c>', '>u', 'u>', '>c']

/** Writes one exchange on a tape and hashes its legs. All times are microseconds since the epoch. */
export class ExchangeWriter {
  readonly number: number
  readonly #tape: TapeWriter
  readonly #upstream: AnswerLeg
  readonly #client: AnswerLeg
  readonly #hashes: Readonly<Record<ByteLeg, LegHash>>
  #isDone = false

  constructor(tape: TapeWriter) {
    this.#tape = tape
    this.number = tape.nextExchange()
    this.#upstream = { hash: new LegHash(), lines: new ChunkLines(this.number, 'u>') }
    this.#client = { hash: new LegHash(), lines: new ChunkLines(this.number, '>c') }
    this.#hashes = {
      'c>': new LegHash(),
      '>u': new LegHash(),
      'u>': this.#upstream.hash,
      '>c': this.#client.hash,
    }
  }

  request(at: number, leg: 'c>' | '>u', request: WrittenRequest): void {
    const { method, path, headers, body, redact, dialect, via } = request
    const bytes = bufferOf(body)
    const head = { method, path, headers }
    const withBody = bytes.length === 0 ? head : { ...head, body: this.#body(leg, bytes, redact) }
    this.#append(at, leg, 'req', {
      ...withBody,
      ...(dialect !== undefined && { dialect }),
      ...(via !== undefined && { via }),
    })
  }

  head(at: number, leg: 'u>' | '>c', head: TapeData['res']): void {
    this.#append(at, leg, 'res', head)
  }

  /** A piece of an answer. */
  data(at: number, leg: 'u>' | '>c', piece: string | Uint8Array): void {
    const bytes = bufferOf(piece)
    if (bytes.length > MAX_CHUNK) this.#append(at, leg, 'd', this.#body(leg, bytes))
    else {
      const { hash, lines } = this.#answerOn(leg)
      hash.update(bytes)
      this.#tape.appendChunk(at, lines, JSON.stringify(tapeBytes(bytes)))
    }
  }

  /** A piece of an answer, given as a string of one character per byte. */
  latin1(at: number, leg: ChunkLeg, bytes: string): void {
    if (bytes.length > MAX_CHUNK) return this.data(at, leg, Buffer.from(bytes, 'latin1'))
    const { hash, lines } = this.#answerOn(leg)
    hash.updateLatin1(bytes)
    const json = NOT_ASCII.test(bytes) ? tapeLatin1(bytes) : JSON.stringify(bytes)
    this.#tape.appendChunk(at, lines, json)
  }

  /** A chunk of an answer that is like its template; its bytes are borrowed until `settle`. */
  like(at: number, leg: ChunkLeg, chunk: ChunkLikeTemplate): void {
    const { hash, lines } = this.#answerOn(leg)
    const { chunks, index } = chunk
    hash.borrow(chunks.bytes, chunks.startOf(index), chunks.endOf(index))
    this.#tape.appendLike(at, lines, chunk)
  }

  /** Takes over the bytes that were borrowed. */
  settle(): void {
    this.#upstream.hash.settle()
    this.#client.hash.settle()
  }

  /** A leg ended as its protocol ends. */
  end(at: number, leg: 'u>' | '>c'): void {
    this.#append(at, leg, 'end', null)
  }

  /** Anything else that happened. */
  event<Type extends Exclude<LineType, 'req' | 'res' | 'd' | 'end'>>(
    at: number,
    leg: Leg,
    { type, data }: { readonly type: Type; readonly data: TapeData[Type] },
  ): void {
    this.#append(at, leg, type, data)
  }

  /** The exchange is over; later calls write nothing. */
  done(at: number, outcome: ExchangeEnd['outcome'], cost?: ExchangeEnd['cost']): void {
    const hashes = Object.fromEntries(
      LEGS.flatMap((leg) => (this.#hashes[leg].isEmpty ? [] : [[leg, this.#hashes[leg].digest()]])),
    )
    this.#append(at, '', 'end', { outcome, ...(cost !== undefined && { cost }), hashes })
    this.#isDone = true
  }

  #append<Type extends LineType>(at: number, leg: Leg, type: Type, data: TapeData[Type]): void {
    if (!this.#isDone) this.#tape.append({ at, exchange: this.number, leg, type, data })
  }

  #body(leg: ByteLeg, body: Uint8Array, redact?: WrittenRequest['redact']): TapedBytes {
    const hash = this.#hashes[leg]
    return this.#tape.body(body, redact === undefined ? { hash } : { hash, redact })
  }

  #answerOn(leg: ChunkLeg): AnswerLeg {
    return leg === 'u>' ? this.#upstream : this.#client
  }
}
