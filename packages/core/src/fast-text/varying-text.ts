import type { JsonObject } from '../json/json-object.ts'

/** Which text of an event varies while nothing else does that has a meaning: how a dialect opts into the fast path. */
export interface VaryingText {
  /** The name of the field that the text is in. */
  readonly key: string
  /** The text of an event that says nothing else; events that say more are read the usual way. */
  readonly textOf: (event: JsonObject) => string | undefined
  /** What else differs from event to event. */
  readonly holes?: readonly Hole[]
}

/** A place of an event where each has something else. */
export interface Hole {
  readonly kind: 'number' | 'word' | 'blanks'
  /** Finds it in the JSON of an event, before the text or behind it. */
  readonly pattern: RegExp
  /** The field that a number is in. */
  readonly name: string
}

// A quote inside of a JSON string has a backslash before it, so these find fields and nothing that looks like one.

/** A field with a whole number. */
export function numberIn(name: string): Hole {
  return { kind: 'number', name, pattern: new RegExp(String.raw`(?<=(?<!\\)"${name}"\s*:\s*)\d+(?=\s*[,}])`) }
}

/** A field with random letters and digits, which hides how long the text is. */
export function wordIn(name: string): Hole {
  return { kind: 'word', name, pattern: new RegExp(String.raw`(?<=(?<!\\)"${name}"\s*:\s*")\w*(?=")`) }
}

/** Blanks before the last bracket, which hide how long the text is. */
export const BLANKS_AT_END: Hole = { kind: 'blanks', name: '', pattern: / *(?=\}$)/ }
