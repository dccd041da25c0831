import { ByteOutput, type RunFrame } from './byte-output.ts'
import type { TextRun } from './text-run.ts'

/** From this many deltas on, writing bytes costs less than writing a string. */
const MIN_DELTAS_AS_BYTES = 16

const encoder = new TextEncoder()

/** What is around the text of every delta of a block: written once, so that a delta costs one string. */
export class DeltaFrame {
  readonly #prefix: string
  readonly #suffix: string
  #bytes: RunFrame | undefined

  /** The parts of an event before and behind the JSON string of a delta. */
  constructor(prefix: string, suffix: string) {
    this.#prefix = prefix
    this.#suffix = suffix
  }

  /** The event of a delta. */
  around(delta: string): string {
    return `${this.#prefix}${JSON.stringify(delta)}${this.#suffix}`
  }

  /** The event of a delta that is escaped already. */
  aroundEscaped(delta: string): string {
    return `${this.#prefix}"${delta}"${this.#suffix}`
  }

  get bytes(): RunFrame {
    this.#bytes ??= {
      prefix: encoder.encode(`${this.#prefix}"`),
      between: encoder.encode(`"${this.#suffix}${this.#prefix}"`),
      suffix: encoder.encode(`"${this.#suffix}`),
    }
    return this.#bytes
  }
}

/** Gathers the events for a client: a string, or bytes where many deltas came at once. */
export class EventOutput {
  #text = ''
  /** What was written before the text, where it is bytes. */
  #bytes: ByteOutput | undefined

  write(text: string): void {
    this.#text += text
  }

  /** Writes one event for each delta of a run. */
  writeRun(deltas: TextRun, frame: DeltaFrame): void {
    if (deltas.count < MIN_DELTAS_AS_BYTES) {
      for (let index = 0; index < deltas.count; index += 1)
        this.#text += frame.aroundEscaped(deltas.textAt(index))
      return
    }
    this.#bytes ??= new ByteOutput()
    this.#bytes.run(this.#text, deltas, frame.bytes)
    this.#text = ''
  }

  /** Everything that was written since the last call. */
  take(): string | Uint8Array {
    const text = this.#text
    const bytes = this.#bytes
    this.#text = ''
    if (bytes === undefined) return text
    this.#bytes = undefined
    bytes.text(text)
    return bytes.take()
  }
}
