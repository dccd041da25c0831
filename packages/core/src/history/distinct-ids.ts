import type { Notes } from '../hub/note.ts'
import { blockPath } from './block-path.ts'
import type { CallSlot } from './pairing.ts'

/** New ids for the calls whose id an earlier call has; each depends only on the calls before it. */
export function distinctIds(calls: readonly CallSlot[], notes: Notes): ReadonlyMap<CallSlot, string> {
  const taken = new Set<string>()
  const uses = new Map<string, number>()
  const renamed = new Map<CallSlot, string>()
  for (const call of calls) {
    const { id } = call.block
    const free = taken.has(id) ? freeId(id, { taken, uses }) : id
    taken.add(free)
    if (free === id) continue
    renamed.set(call, free)
    notes.add('call_id_distinct', blockPath(call), `call id ${id} was used before: this call is now ${free}`)
  }
  return renamed
}

interface Ids {
  readonly taken: ReadonlySet<string>
  /** How often an id was used, so that an id used in every turn is not counted through each time. */
  readonly uses: Map<string, number>
}

function freeId(id: string, { taken, uses }: Ids): string {
  let count = (uses.get(id) ?? 1) + 1
  while (taken.has(`${id}_${count}`)) count++
  uses.set(id, count)
  return `${id}_${count}`
}
