import type { Notes } from '../hub/note.ts'

/** Where notes are taken. */
interface Noting {
  readonly notes: Notes
}

/** Replaces halves of characters, which no upstream can read, and notes it. */
export function wellFormed(text: string, path: string, { notes }: Noting): string {
  if (text.isWellFormed()) return text
  notes.add('surrogate_replaced', path, 'an unpaired surrogate was replaced by U+FFFD')
  return text.toWellFormed()
}

/** Texts as one, without the empty ones. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Marks that mean nothing to the upstream: one note is enough for all of them. */
export function noteAnnotations(block: object, path: string, { notes }: Noting): void {
  const { cache_control, citations } = block as { cache_control?: unknown; citations?: unknown }
  if (cache_control)
    notes.addOnce('cache_control_dropped', `${path}.cache_control`, 'the upstream caches by itself')
  if (citations) notes.addOnce('citations_dropped', `${path}.citations`, 'the upstream knows no citations')
}
