import type { BodyLayout, BodyParts } from './body-parts.ts'
import { JsonTexts } from './json-texts.ts'
import type { Piece } from './piece.ts'

/** A body of JSON: a whole answer, a stream that is one long list, or a value on each line. */
export class JsonBody implements BodyLayout {
  readonly isBetweenEvents = false
  readonly #json: JsonTexts

  constructor(parts: BodyParts) {
    this.#json = new JsonTexts(parts)
  }

  scan({ bytes }: Piece, from: number): void {
    this.#json.scan(bytes, from, bytes.length)
  }
}
