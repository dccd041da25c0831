import { Buffer } from 'node:buffer'
import type { DialectName } from '@hydra/core'
import type { ExchangeEnd, Leg, LineType, TapeData, TapedBytes, TapedHeaders, Via } from '../format/lines.ts'
import { bufferOf, tapeBytes, tapeLatin1 } from '../format/taped-bytes.ts'
import type { ChunkLeg } from '../redact/alike/chunk-batch.ts'
import { LegHash } from './leg-hash.ts'
import type { ChunkLikeTemplate } from './line-buffer.ts'
import type { ChunkLines, TapeWriter } from './tape-writer.ts'

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

/** What the lines of chunks have between the number of the exchange and the data. */
const MIDDLE: Readonly<Record<ChunkLeg, Uint8Array>> = {
  'u>': Buffer.from('"u>","d",'),
  '>c': Buffer.from('">c","d",'),
}

/** In the order in which their hashes are written. */
const LEGS: readonly ByteLeg[] = ['c>', '>u', 'u>', '>c']

/** Writes one exchange on a tape and hashes its legs. All times are microseconds since the epoch. */
export class ExchangeWriter {
  readonly number: number
  readonly #tape: TapeWriter
  readonly #hashes = new Map<ByteLeg, LegHash>()
  readonly #linesOf: Readonly<Record<ChunkLeg, ChunkLines>>
  #isDone = false

  constructor(tape: TapeWriter) {
    this.#tape = tape
    this.number = tape.nextExchange()
    const linesOf = (leg: ChunkLeg): ChunkLines => ({
      exchange: this.number,
      middle: MIDDLE[leg],
      template: undefined,
      templateLine: 0,
    })
    this.#linesOf = { 'u>': linesOf('u>'), '>c': linesOf('>c') }
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
      this.#hash(leg).update(bytes)
      this.#tape.appendChunk(at, this.#linesOf[leg], JSON.stringify(tapeBytes(bytes)))
    }
  }

  /** A piece of an answer, given as a string of one character per byte. */
  latin1(at: number, leg: ChunkLeg, bytes: string): void {
    if (bytes.length > MAX_CHUNK) return this.data(at, leg, Buffer.from(bytes, 'latin1'))
    this.#hash(leg).updateLatin1(bytes)
    const json = NOT_ASCII.test(bytes) ? tapeLatin1(bytes) : JSON.stringify(bytes)
    this.#tape.appendChunk(at, this.#linesOf[leg], json)
  }

  /** A chunk of an answer that is like its template; its bytes are borrowed until `settle`. */
  like(at: number, leg: ChunkLeg, chunk: ChunkLikeTemplate): void {
    const { chunks, index } = chunk
    this.#hash(leg).borrow(chunks.bytes, chunks.startOf(index), chunks.endOf(index))
    this.#tape.appendLike(at, this.#linesOf[leg], chunk)
  }

  /** Takes over the bytes that were borrowed. */
  settle(): void {
    for (const hash of this.#hashes.values()) hash.settle()
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
      LEGS.flatMap((leg) => {
        const hash = this.#hashes.get(leg)
        return hash === undefined ? [] : [[leg, hash.digest()]]
      }),
    )
    this.#hashes.clear()
    this.#append(at, '', 'end', { outcome, ...(cost !== undefined && { cost }), hashes })
    this.#isDone = true
  }

  #append<Type extends LineType>(at: number, leg: Leg, type: Type, data: TapeData[Type]): void {
    if (!this.#isDone) this.#tape.append({ at, exchange: this.number, leg, type, data })
  }

  #body(leg: ByteLeg, body: Uint8Array, redact?: WrittenRequest['redact']): TapedBytes {
    const hash = this.#hash(leg)
    return this.#tape.body(body, redact === undefined ? { hash } : { hash, redact })
  }

  #hash(leg: ByteLeg): LegHash {
    const known = this.#hashes.get(leg)
    if (known !== undefined) return known
    const hash = new LegHash()
    this.#hashes.set(leg, hash)
    return hash
  }
}
