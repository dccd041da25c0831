/** Something that was dropped, shortened, moved or invented on the way, and where. */
export interface Note {
  /** A stable name for the kind of change, for counting and filtering. */
  readonly code: string
  /** The JSON path of the thing in the input it came from. */
  readonly path: string
  /** One sentence for a person. */
  readonly message: string
}

/** More notes than anybody reads; a hostile stream must not fill the memory with them. */
const MAX_NOTES = 1000

/** Takes notes; one per code and path is kept, so that a long stream cannot pile them up. */
export class Notes {
  readonly #taken = new Map<string, Note>()

  add(code: string, path: string, message: string): void {
    this.#take(`${code} ${path}`, { code, path, message })
  }

  /** Like `add`, but one note stands for all of its kind: for marks that every block of a history may carry. */
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
    this.#taken.set(key, isFull ? { code: 'notes_cut', path: '', message: 'there were more notes' } : note)
  }
}
