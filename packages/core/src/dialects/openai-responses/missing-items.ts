import { isJsonObject } from '../../json/json-object.ts'
import type { WireObject } from '../../json/wire.ts'

/**
 * What only the last event has of what a client must not miss: calls, or all that was said. Servers that read the
 * whole text anew at its end (vLLM) give the same calls other ids there, and nobody may run a call twice.
 */
export function missingItems(output: readonly unknown[], told: readonly WireObject[]): readonly WireObject[] {
  const items = output.filter(isJsonObject)
  const [whole, known] = [items.filter(isCall), told.filter(isCall)]
  const [renamed, left] = [withoutIdsOf(whole, known), withoutIdsOf(known, whole)]
  const others = withoutWordsOf(renamed, left)
  // What is left was told by another id, and with arguments that are written in another way.
  const calls = new Set(others.slice(left.length - (renamed.length - others.length)))
  const isSilent = told.every(({ type }) => type !== 'message')
  return items.filter((item) => calls.has(item) || (isSilent && item['type'] === 'message'))
}

function isCall({ type, call_id: id }: WireObject): boolean {
  return (type === 'function_call' || type === 'custom_tool_call') && typeof id === 'string'
}

/** The calls of a list whose ids no call of another list has. */
function withoutIdsOf(calls: readonly WireObject[], others: readonly WireObject[]): WireObject[] {
  const ids = new Set(others.map(({ call_id: id }) => id))
  return calls.filter(({ call_id: id }) => !ids.has(id))
}

/** The calls of a list that say what no call of another list does, each of which counts once. */
function withoutWordsOf(calls: readonly WireObject[], others: readonly WireObject[]): WireObject[] {
  const counts = new Map<string, number>()
  for (const words of others.map(wordsOf)) counts.set(words, (counts.get(words) ?? 0) + 1)
  return calls.filter((call) => {
    const words = wordsOf(call)
    const count = counts.get(words) ?? 0
    counts.set(words, count - 1)
    return count <= 0
  })
}

/** What a call says, but for its ids. */
function wordsOf({ type, name, arguments: json, input }: WireObject): string {
  return JSON.stringify([type, name, json, input])
}
