import type { Notes } from '../hub/note.ts'

/** Replaces halves of characters, which no upstream can read, and says so. */
export function wellFormed(text: string, path: string, notes: Notes): string {
  if (text.isWellFormed()) return text
  notes.add('surrogate_replaced', path, 'an unpaired surrogate was replaced by U+FFFD')
  return text.toWellFormed()
}
