/** Something that was dropped, shortened, moved or invented on the way, and where. */
export interface Note {
  /** A stable name for the kind of change, for counting and filtering. */
  readonly code: string
  /** The JSON path of the thing in the input it came from. */
  readonly path: string
  /** One sentence for a person. */
  readonly message: string
}

/** Takes notes; one per code and path is kept, so that a long stream cannot pile them up. */
export class Notes {
  readonly #taken = new Map<string, Note>()

  add(code: string, path: string, message: string): void {
    const key = `${code} ${path}`
    if (!this.#taken.has(key)) this.#taken.set(key, { code, path, message })
  }

  /** Like `add`, but one note stands for all of its kind: for marks that every block of a history may carry. */
  addOnce(code: string, path: string, message: string): void {
    if (!this.#taken.has(code)) this.#taken.set(code, { code, path, message })
  }

  get list(): Note[] {
    return [...this.#taken.values()]
  }
}
