import type { JsonObject } from '../json/json-object.ts'
import type { RunTaker } from './fast-text.ts'
import type { TextRun } from './text-run.ts'

/** Tells texts one by one, unescaped: for those that somebody must look at, such as the arguments of a call. */
export class PieceTaker implements RunTaker {
  readonly #tell: (piece: string, event: JsonObject) => void
  readonly isOpen = true
  begun = 0

  constructor(tell: (piece: string, event: JsonObject) => void) {
    this.#tell = tell
  }

  take(texts: TextRun, event: JsonObject): void {
    for (let index = 0; index < texts.count; index += 1) {
      this.begun = index + 1
      this.#tell(unescaped(texts.textAt(index)), event)
    }
  }
}

function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
