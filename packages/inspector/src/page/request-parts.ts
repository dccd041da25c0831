import { isJsonObject } from '@hydra/core'
import { shortened } from '@hydra/cli'
import type { TapedRequest } from '@hydra/tape'
import { jsonOf, parseBytes, textOf } from '../summary/json-text.ts'
import type { RequestPart } from './page-data.ts'

const MAX_PIECE_LENGTH = 200_000

/** The pieces of all requests, each kept once: a history is sent again with every turn. */
export class PieceTable {
  readonly #places = new Map<string, number>()

  /** The place of a text in the table. */
  place(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.#places.size)
    return this.#places.size - 1
  }

  get list(): string[] {
    return [...this.#places.keys()]
  }
}

/** A request's body field by field and message by message; a body that is no JSON object is one part. */
export function requestParts({ body }: TapedRequest, table: PieceTable): RequestPart[] {
  if (body.length === 0) return []
  const parsed = parseBytes(body)
  if (!('value' in parsed) || !isJsonObject(parsed.value)) {
    return [partOf('body', new TextDecoder().decode(body), table)]
  }
  return Object.entries(parsed.value).flatMap(([field, value]) =>
    isSpoken(value)
      ? value.map((message: unknown, index) =>
          partOf(`${field}[${index}]${roleOf(message)}`, jsonOf(message, 2), table),
        )
      : [partOf(field, jsonOf(value, 2), table)],
  )
}

/** A list of messages, whatever its dialect calls it, is shown item by item. */
function isSpoken(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.some((item) => isJsonObject(item) && 'role' in item)
}

function partOf(label: string, text: string, table: PieceTable): RequestPart {
  return { label, piece: table.place(shortened(text, MAX_PIECE_LENGTH)) }
}

function roleOf(message: unknown): string {
  const role = isJsonObject(message) ? textOf(message['role']) : undefined
  return role === undefined ? '' : ` ${role}`
}
