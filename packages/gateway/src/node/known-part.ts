import { randomUUID } from 'node:crypto'
import { markLasting, nestsTooDeep, type RepeatedPlaces } from '@hydra/core'

/** What of a request comes again: the list of its tools, or a long text of its instructions. */
type Kind = 'tools' | 'instructions'

/** A random value: no request can contain it by chance or on purpose. */
const STAND_IN: string = randomUUID()
let partCount = 0

/**
 * A part of a request as it was written, and what was read from it. Tools are read when they come for the second time:
 * no request pays for what may never come again.
 */
export class KnownPart {
  readonly kind: Kind
  readonly bytes: Buffer
  #value: string | readonly unknown[] | undefined
  /** Whether it has taken its place in a request, or was found not to belong there. */
  #trial: 'untried' | 'proven' | 'refuted' = 'untried'
  /** Stands in for the part while the rest of its request is parsed. */
  readonly standIn: string
  /** Where it was last, counted from the start and from the end of the body: one of them mostly stays the same. */
  #fromStart: number
  #fromEnd: number

  private constructor(kind: Kind, value: string | undefined, { body, start, end }: Place) {
    this.kind = kind
    // A copy: a slice would keep the whole request.
    this.bytes = Buffer.from(body.subarray(start, end))
    this.#value = value
    partCount += 1
    this.standIn = `${STAND_IN} ${partCount}`
    this.#fromStart = start
    this.#fromEnd = body.length - start
  }

  static ofTools(place: Place): KnownPart {
    return new KnownPart('tools', undefined, place)
  }

  static ofInstructions(text: string, place: Place): KnownPart {
    return new KnownPart('instructions', text, place)
  }

  /** Whether it was in a place where its bytes mean something else. */
  get isRefuted(): boolean {
    return this.#trial === 'refuted'
  }

  /** A request that has its bytes could not be put together with it. */
  doubt(): void {
    if (this.#trial === 'untried') this.#trial = 'refuted'
  }

  /** Whether it is this text. */
  isText(text: string): boolean {
    return this.kind === 'instructions' && this.#value === text
  }

  /** The place of the part in a body, -1 if it is neither where it was nor where it is expected. */
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
  restore(request: Record<string, unknown>, places: RepeatedPlaces): boolean {
    const isRestored =
      this.kind === 'tools'
        ? this.#replace(request, places.tools)
        : places.instructions(request).some(({ holder, key }) => this.#replace(holder, key))
    if (isRestored) this.#trial = 'proven'
    return isRestored
  }

  /** The request was parsed here, so it is ours to change. */
  #replace(holder: object, key: string): boolean {
    const members = holder as Record<string, unknown>
    if (members[key] !== this.standIn) return false
    this.#value ??= this.#readTools()
    if (this.#value === undefined) return false
    members[key] = this.#value
    return true
  }

  /** Frozen all the way down, because all requests that bring them share them. */
  #readTools(): readonly unknown[] | undefined {
    const tools = parsed(this.bytes.toString())
    // Marking them would overflow the stack; their decoder says what is wrong.
    return Array.isArray(tools) && !nestsTooDeep(tools) ? markLasting(tools) : undefined
  }

  #isAt(start: number, body: Buffer): boolean {
    const end = start + this.bytes.length
    if (start < 0 || end > body.length) return false
    return body.compare(this.bytes, 0, this.bytes.length, start, end) === 0
  }
}

/** The place of a part in a body. */
export interface Place {
  readonly body: Buffer
  readonly start: number
  readonly end: number
}

/** The value of a text of JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
