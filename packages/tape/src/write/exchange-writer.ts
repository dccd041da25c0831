import { createHash, type Hash } from 'node:crypto'
import type { ExchangeEnd, Leg, LineType, TapeData, TapedBytes, TapedHeaders, Via } from '../format/lines.ts'
import { bufferOf, tapeBytes, tapeLatin1 } from '../format/taped-bytes.ts'
import type { TapeWriter } from './tape-writer.ts'

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
  readonly via?: Via
}

/** A chunk that is larger is cut like a body. */
const LONGEST_CHUNK = 65_536
/** So many bytes of small chunks are hashed together: each call costs as much as hashing a thousand of them. */
const HASHED_TOGETHER = 8192

/** Pieces that wait to be hashed. */
interface Unhashed {
  readonly pieces: string[]
  length: number
}

/** Writes one exchange on a tape and hashes its legs. All times are microseconds since the epoch. */
export class ExchangeWriter {
  readonly number: number
  readonly #tape: TapeWriter
  readonly #hashes = new Map<ByteLeg, Hash>()
  /** What is not hashed yet, one character per byte. */
  readonly #unhashed: Record<'u>' | '>c', Unhashed> = {
    'u>': { pieces: [], length: 0 },
    '>c': { pieces: [], length: 0 },
  }
  readonly #chunkOf: Readonly<Record<ByteLeg, string>>
  #isDone = false

  constructor(tape: TapeWriter) {
    this.#tape = tape
    this.number = tape.nextExchange()
    const chunkOf = (leg: ByteLeg): string => `${this.number},"${leg}","d",`
    this.#chunkOf = { 'c>': chunkOf('c>'), '>u': chunkOf('>u'), 'u>': chunkOf('u>'), '>c': chunkOf('>c') }
  }

  request(at: number, leg: 'c>' | '>u', { method, path, headers, body, redact, via }: WrittenRequest): void {
    const bytes = bufferOf(body)
    const head = { method, path, headers }
    const withBody = bytes.length === 0 ? head : { ...head, body: this.#body(leg, bytes, redact) }
    this.#append(at, leg, 'req', via === undefined ? withBody : { ...withBody, via })
  }

  head(at: number, leg: 'u>' | '>c', head: TapeData['res']): void {
    this.#append(at, leg, 'res', head)
  }

  /** A piece of an answer. */
  data(at: number, leg: 'u>' | '>c', piece: string | Uint8Array): void {
    const bytes = bufferOf(piece)
    this.#catchUp(leg)
    if (bytes.length > LONGEST_CHUNK) this.#append(at, leg, 'd', this.#body(leg, bytes))
    else {
      this.#hash(leg).update(bytes)
      this.#tape.appendJson(at, this.#chunkOf[leg], JSON.stringify(tapeBytes(bytes)))
    }
  }

  /** A piece of an answer, given as a string of one character per byte. */
  latin1(at: number, leg: 'u>' | '>c', bytes: string, isAscii: boolean): void {
    if (bytes.length > LONGEST_CHUNK) return this.data(at, leg, Buffer.from(bytes, 'latin1'))
    const unhashed = this.#unhashed[leg]
    unhashed.pieces.push(bytes)
    unhashed.length += bytes.length
    if (unhashed.length >= HASHED_TOGETHER) this.#catchUp(leg)
    const json = isAscii ? JSON.stringify(bytes) : tapeLatin1(bytes)
    this.#tape.appendJson(at, this.#chunkOf[leg], json)
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
  done(at: number, outcome: ExchangeEnd['outcome']): void {
    this.#catchUp('u>')
    this.#catchUp('>c')
    const hashes = Object.fromEntries([...this.#hashes].map(([leg, hash]) => [leg, hash.digest('hex')]))
    this.#hashes.clear()
    this.#append(at, '', 'end', { outcome, hashes })
    this.#isDone = true
  }

  #append<Type extends LineType>(at: number, leg: Leg, type: Type, data: TapeData[Type]): void {
    if (!this.#isDone) this.#tape.append({ at, exchange: this.number, leg, type, data })
  }

  #body(leg: ByteLeg, body: Uint8Array, redact?: WrittenRequest['redact']): TapedBytes {
    const hash = this.#hash(leg)
    const onBytes = (bytes: Uint8Array): void => void hash.update(bytes)
    return this.#tape.body(body, redact === undefined ? { onBytes } : { onBytes, redact })
  }

  #catchUp(leg: 'u>' | '>c'): void {
    const { pieces } = this.#unhashed[leg]
    if (pieces.length === 0) return
    this.#unhashed[leg] = { pieces: [], length: 0 }
    this.#hash(leg).update(pieces.join(''), 'latin1')
  }

  #hash(leg: ByteLeg): Hash {
    const known = this.#hashes.get(leg)
    if (known !== undefined) return known
    const hash = createHash('sha256')
    this.#hashes.set(leg, hash)
    return hash
  }
}
