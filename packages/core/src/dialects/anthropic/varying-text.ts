import { BLANKS_AT_END, type VaryingText } from '../../fast-text/varying-text.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { isJsonObject } from '../../json/json-object.ts'

/** The words of an answer. */
export const TEXT: VaryingText = {
  key: 'text',
  textOf: (event) => pieceOf(event, 'text_delta', 'text'),
  holes: [BLANKS_AT_END],
}

/** The input of a call. */
export const INPUT: VaryingText = {
  key: 'partial_json',
  textOf: (event) => pieceOf(event, 'input_json_delta', 'partial_json'),
  holes: [BLANKS_AT_END],
}

function pieceOf(event: JsonObject, wanted: string, field: string): string | undefined {
  const { type, index, delta, ...others } = event
  if (type !== 'content_block_delta' || typeof index !== 'number' || !isJsonObject(delta)) return undefined
  const { type: kind, [field]: piece, ...rest } = delta
  const isAll = Object.keys(others).length === 0 && Object.keys(rest).length === 0
  return kind === wanted && typeof piece === 'string' && isAll ? piece : undefined
}
