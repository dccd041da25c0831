import type { Notes } from '../hub/note.ts'
import { isWellFormedJson } from '../json/measure.ts'

/** A surrogate that `JSON.stringify` could not pair. */
const ESCAPED_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/gi

/**
 * A value without halves of characters, which tools leave where they cut a text and which no upstream can read; the
 * same value where it has none.
 */
export function wellFormedValue<Value>(
  value: Value,
  path: string,
  { notes }: { readonly notes: Notes },
): Value {
  if (isWellFormedJson(value)) return value
  notes.add('surrogate_replaced', path, 'an unpaired surrogate was replaced by U+FFFD')
  const written = JSON.stringify(value).replaceAll(ESCAPED_SURROGATE, '$1\\ufffd')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON again, with other characters in its strings
  return JSON.parse(written) as Value
}
