/** What breaks the lines of clients that split events by Unicode's rules rather than by those of events. */
const LINE_ENDS = /[\u0085\u2028\u2029]/
const ALL_LINE_ENDS = /[\u0085\u2028\u2029]/g

/** JSON whose strings hold no character that some client takes for the end of a line. */
export function lineSafe(json: string): string {
  if (!LINE_ENDS.test(json)) return json
  return json.replaceAll(
    ALL_LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Writes the chunks of one stream: as events, or as the elements of an array. */
export class ChunkOutput {
  readonly #isArray: boolean
  #out = ''
  #isFirst = true

  constructor(isArray: boolean) {
    this.#isArray = isArray
  }

  /** What comes before a chunk; in an array that depends on whether it is the first. */
  get #before(): string {
    if (!this.#isArray) return 'data: '
    return this.#isFirst ? '[' : ',\r\n'
  }

  chunk(json: string): void {
    this.#out += `${this.#before}${json}${this.#isArray ? '' : '\r\n\r\n'}`
    this.#isFirst = false
  }

  /** The answer is complete. */
  close(): void {
    if (this.#isArray) this.#out += ']\r\n'
  }

  /**
   * The answer failed. Older SDKs overlook an error in an event, and only see one that is written without `data:`;
   * newer ones see both.
   */
  fail(json: string): void {
    this.chunk(json)
    this.#out += this.#isArray ? ']\r\n' : json
  }

  take(): string {
    const out = this.#out
    this.#out = ''
    return out
  }
}
