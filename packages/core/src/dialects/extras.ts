import type { Notes } from '../hub/note.ts'
import type { HubExtras, HubRequest } from '../hub/request.ts'

/** Notes each wish of a request that goes unheard: those that the upstream has a field for are in `taken`. */
export function noteExtras({ extras }: HubRequest, taken: ReadonlySet<keyof HubExtras>, notes: Notes): void {
  for (const field of Object.keys(extras ?? {}) as (keyof HubExtras)[]) {
    if (!taken.has(field)) notes.add('field_ignored', field, 'the upstream has no equivalent')
  }
}

/** What the system prompt says where an upstream cannot be held to JSON. */
export const JSON_INSTRUCTION = 'Answer with one JSON object, and with nothing else.'
