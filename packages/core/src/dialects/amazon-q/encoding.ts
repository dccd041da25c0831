import type { Notes } from '../../hub/note.ts'
import type { CallIdsInUse, WireCallIds } from '../../identity/call-ids.ts'
import type { ToolNames } from '../../identity/tool-names.ts'
import type { QProfile } from './profile.ts'

/** What the parts of one request share while it is encoded. */
export interface Encoding {
  readonly profile: QProfile
  readonly notes: Notes
  readonly names: ToolNames
  /** The ids of calls as the upstream sees them. */
  readonly wireIds: WireCallIds
  /** The ids of calls as the client knows them. */
  readonly callIds: CallIdsInUse
}

/** Replaces halves of characters, which no upstream can read, and says so. */
export function wellFormed(text: string, path: string, { notes }: Encoding): string {
  if (text.isWellFormed()) return text
  notes.add('surrogate_replaced', path, 'an unpaired surrogate was replaced by U+FFFD')
  return text.toWellFormed()
}

/** Texts as one, without the empty ones. */
export function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Marks that mean nothing to the upstream: one note tells for all of them. */
export function noteAnnotations(block: object, path: string, { notes }: Encoding): void {
  const { cache_control, citations } = block as { cache_control?: unknown; citations?: unknown }
  if (cache_control)
    notes.addOnce('cache_control_dropped', `${path}.cache_control`, 'the upstream caches by itself')
  if (citations) notes.addOnce('citations_dropped', `${path}.citations`, 'the upstream knows no citations')
}
