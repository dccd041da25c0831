import { randomUUID } from 'node:crypto'
import { deepFreeze } from '@hydra/core'

/** What of a request comes again: the list of its tools, or a long text of its system prompt. */
type Kind = 'tools' | 'system text'

/** Nobody else knows it, so nobody else can write it. */
const STAND_IN: string = randomUUID()
let partCount = 0

/** A part of a request as it was written, and what was read from it. */
export class KnownPart {
  readonly kind: Kind
  readonly bytes: Buffer
  /** Tools are frozen all the way down, because all requests that bring them share them. */
  readonly value: string | readonly unknown[]
  /** Stands in for the part while the rest of its request is parsed. */
  readonly standIn: string
  /** Where it stood last, counted from the start and from the end of the body: one of them mostly stays the same. */
  #fromStart: number
  #fromEnd: number

  private constructor(kind: Kind, value: string | readonly unknown[], { body, start, end }: Place) {
    this.kind = kind
    // A copy: a slice would keep the whole request.
    this.bytes = Buffer.from(body.subarray(start, end))
    this.value = value
    partCount += 1
    this.standIn = `${STAND_IN} ${partCount}`
    this.#fromStart = start
    this.#fromEnd = body.length - start
  }

  static ofTools(tools: readonly unknown[], place: Place): KnownPart {
    return new KnownPart('tools', deepFreeze(tools), place)
  }

  static ofSystemText(text: string, place: Place): KnownPart {
    return new KnownPart('system text', text, place)
  }

  /** Where the part stands in a body, -1 if it is neither where it was nor where somebody expects it. */
  placeIn(body: Buffer, expected = -1): number {
    for (const start of [body.length - this.#fromEnd, this.#fromStart, expected]) {
      if (!this.#isAt(start, body)) continue
      this.#fromStart = start
      this.#fromEnd = body.length - start
      return start
    }
    return -1
  }

  /** Puts the part back where its stand-in is; false if that is not where such a part belongs. */
  restore(request: Record<string, unknown>): boolean {
    if (this.kind === 'tools') return this.#replace(request, 'tools')
    const { system } = request
    if (!Array.isArray(system)) return this.#replace(request, 'system')
    return system.some((block: unknown) => isObject(block) && this.#replace(block, 'text'))
  }

  #replace(holder: Record<string, unknown>, key: string): boolean {
    if (holder[key] !== this.standIn) return false
    holder[key] = this.value
    return true
  }

  #isAt(start: number, body: Buffer): boolean {
    const end = start + this.bytes.length
    if (start < 0 || end > body.length) return false
    return body.compare(this.bytes, 0, this.bytes.length, start, end) === 0
  }
}

/** Where a part stands in a body. */
export interface Place {
  readonly body: Buffer
  readonly start: number
  readonly end: number
}

/** Whether a value of JSON is an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
