import type { Hide } from './error.ts'

/** Something that was dropped, shortened, moved or invented on the way, and where. */
export interface Note {
  /** A stable name for the kind of change, for counting and filtering. */
  readonly code: string
  /** The JSON path of the thing in the input it came from. */
  readonly path: string
  /** One sentence for a person. */
  readonly message: string
}

/** More notes than are read; a hostile stream must not fill the memory with them. */
const MAX_NOTES = 1000

/** Longer ones are cut: a field's name is its sender's to choose. */
const MAX_PATH_LENGTH = 300
const MAX_MESSAGE_LENGTH = 1000

const CUT: Note = { code: 'notes_cut', path: '', message: 'there were more notes' }

/** Takes notes; one per code and path is kept, so that a long stream cannot pile them up. */
export class Notes {
  readonly #taken = new Map<string, Note>()
  readonly #hide: Hide

  /** Secrets in what is noted are taken out before anything is cut. */
  constructor(hide: Hide = (text) => text) {
    this.#hide = hide
  }

  add(code: string, path: string, message: string): void {
    this.#take(`${code} ${path.slice(0, MAX_PATH_LENGTH)}`, { code, path, message })
  }

  /** Like `add`, but one note is enough for all of its kind: for marks that every block of a history may carry. */
  addOnce(code: string, path: string, message: string): void {
    this.#take(code, { code, path, message })
  }

  get list(): Note[] {
    return [...this.#taken.values()]
  }

  get count(): number {
    return this.#taken.size
  }

  #take(key: string, note: Note): void {
    if (this.#taken.has(key) || this.#taken.size > MAX_NOTES) return
    const isFull = this.#taken.size === MAX_NOTES
    this.#taken.set(key, isFull ? CUT : this.#told(note))
  }

  #told({ code, path, message }: Note): Note {
    return {
      code,
      path: shortened(this.#hide(path), MAX_PATH_LENGTH),
      message: shortened(this.#hide(message), MAX_MESSAGE_LENGTH),
    }
  }
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`
}
