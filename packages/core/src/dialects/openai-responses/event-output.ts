import type { TextRun } from '../../fast-text/text-run.ts'
import { formatEvent } from '../../sse/format.ts'

/** The JSON around the text of a delta: the same for all deltas of a part. */
export interface DeltaFrame {
  readonly before: string
  readonly after: string
}

/** Writes the events of one stream and numbers them. */
export class EventOutput {
  #out = ''
  #sequence: number
  /** Whether events are numbered, as the API has it. */
  readonly #isNumbered: boolean

  /** The number of the first event; NaN for a stream without numbers. */
  constructor(sequence = 0) {
    this.#sequence = sequence
    this.#isNumbered = !Number.isNaN(sequence)
  }

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  /** One event; the fields are the inside of a JSON object. */
  event(type: string, fields: string): void {
    const number = this.#isNumbered ? `,"sequence_number":${this.#next()}` : ''
    this.#out += formatEvent(type, `{"type":"${type}",${fields}${number}}`)
  }

  /** One delta, its text already a JSON string: the hot path. */
  delta({ before, after }: DeltaFrame, json: string): void {
    this.#out += `${before}${json}${after}${this.#next()}}\n\n`
  }

  /** A delta for each text of a run. */
  deltas({ before, after }: DeltaFrame, run: TextRun): void {
    for (let index = 0; index < run.count; index += 1) {
      this.#out += `${before}"${run.textAt(index)}"${after}${this.#next()}}\n\n`
    }
  }

  #next(): number {
    const sequence = this.#sequence
    this.#sequence += 1
    return sequence
  }
}

/** For answers that are wanted whole: they go the same way, and nothing is written. */
export class NoEvents extends EventOutput {
  override event(): void {}

  override delta(): void {}

  override deltas(): void {}
}

/** The fields of an object as they are written between its braces. */
export function fieldsOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}

/** The frame of a kind of delta; `fields` name the place that it belongs to. */
export function deltaFrame(type: string, fields: object, rest = ''): DeltaFrame {
  return {
    before: `event: ${type}\ndata: {"type":"${type}",${fieldsOf(fields)},"delta":`,
    after: `${rest},"sequence_number":`,
  }
}
