import { unparsedText } from '../clients/claude-code.ts'
import { isJsonObject } from '../json/json-object.ts'
import { MAX_JSON_DEPTH } from '../json/measure.ts'
import { parseInput } from '../stream/collect.ts'

const texts = new WeakMap<object, string>()

/**
 * The input of a call that a client sends as text. Upstreams that want text get this one again, as a model has written
 * it: its cache finds the same tokens, and no number loses digits. The input is frozen, because a change of it would
 * not be in the text.
 */
export function inputOfText(json: string): unknown {
  const input = parseInput(json)
  const isWritten = json !== '' && unparsedText(input) === undefined
  if (isWritten && isJsonObject(input) && freeze(input, MAX_JSON_DEPTH)) texts.set(input, json)
  return input
}

/** The input of a call as JSON text: the one that it was read from, if there is one. */
export function textOfInput(input: unknown): string {
  const text = isJsonObject(input) ? texts.get(input) : undefined
  // Of fields with the same name only the last is in the input: the others may hold what no upstream can read.
  return text?.isWellFormed() === true ? text : JSON.stringify(input)
}

/** Freezes a value all the way down; false where it nests deeper than that. */
function freeze(value: object, levels: number): boolean {
  if (levels === 0) return false
  for (const key in value) {
    const member: unknown = value[key as keyof typeof value]
    if (typeof member === 'object' && member !== null && !freeze(member, levels - 1)) return false
  }
  Object.freeze(value)
  return true
}
