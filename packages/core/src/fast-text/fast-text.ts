import type { JsonObject } from '../json/json-object.ts'
import type { ShapeAt } from './event-run.ts'
import type { TextRun } from './text-run.ts'
import { TextTemplate } from './text-template.ts'
import type { VaryingText } from './varying-text.ts'

/** Who takes texts out of events that nobody has parsed. */
export interface RunTaker {
  /** Whether texts may come now. */
  readonly isOpen: boolean
  /** Takes texts in, still escaped; `event` is one that was parsed and differs in nothing but its holes. */
  take(texts: TextRun, event: JsonObject): void
  /** How many of the texts were begun with, where one of them was refused. */
  readonly begun: number
}

/**
 * The texts of a stream's events, copied instead of parsed: how a stream decoder opts into the fast path. It tells
 * `learn` of each event that it has read, and hands `skim` on to the body. Texts are copied only directly behind an
 * event of the same shape: whatever else comes may change what they mean, and is read first.
 */
export class FastText {
  readonly #taker: RunTaker
  readonly #template: TextTemplate
  #isOpen = false
  #hasNumbers = false
  /** How many events were taken here, and never came to the decoder. */
  events = 0

  constructor(taker: RunTaker, varying: VaryingText, shapeAt?: ShapeAt) {
    this.#taker = taker
    this.#template = new TextTemplate(varying, shapeAt)
  }

  /** The event that was learnt last. */
  get event(): JsonObject {
    return this.#template.event
  }

  /** Whatever follows is parsed, until an event is learnt. */
  close(): void {
    this.#isOpen = false
  }

  /** Takes an event that was parsed as the template for those that follow. */
  learn(name: string | undefined, data: string, event: JsonObject): void {
    this.#isOpen = this.#template.learn(name, data, event)
  }

  /** Copies the texts of the events from a place on, while they match; gives where it stopped. */
  skim(bytes: Uint8Array, from: number): number {
    if (!this.#isOpen || !this.#taker.isOpen) return from
    let at = from
    for (;;) {
      const found = this.#template.findRun(bytes, at)
      if (found === undefined) return at
      const isFull = found.texts.isFull
      this.#take(found.texts)
      at = found.end
      // One that ended for want of room goes on; any other ended before an event that does not match.
      if (!isFull) return at
    }
  }

  /** The numbers of the latest event that was copied, by the names of their fields; none since it was last asked. */
  takeNumbers(): Readonly<Record<string, number>> | undefined {
    if (!this.#hasNumbers) return undefined
    this.#hasNumbers = false
    return this.#template.numbers
  }

  #take(texts: TextRun): void {
    this.#hasNumbers = true
    try {
      this.#taker.take(texts, this.#template.event)
      this.events += texts.count
    } catch (thrown) {
      this.events += this.#taker.begun
      throw thrown
    }
  }
}
