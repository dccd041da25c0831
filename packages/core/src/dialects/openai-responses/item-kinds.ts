import { isJsonObject } from '../../json/json-object.ts'
import type { WireObject } from '../../json/wire.ts'

/** What an event is a piece of by its type, without `response.`; `undefined` if it says nothing of an item's content. */
export function kindOfPiece(type: string): string | undefined {
  if (/^(?:output_text|refusal)\./.test(type)) return 'message'
  if (/^reasoning_(?:summary_)?text\./.test(type)) return 'reasoning'
  if (type.startsWith('function_call_arguments.')) return 'function_call'
  return type.startsWith('custom_tool_call_input.') ? 'custom_tool_call' : undefined
}

/** What is known of an item that begins with a piece of this kind: what a custom call is for shows at its end. */
export function headOf(kind: string): WireObject {
  return kind === 'custom_tool_call' ? {} : { type: kind }
}

/** Whether an item may be of a type; one that began with a piece of it may be of any. */
export function isOfType({ type: known }: WireObject, type: unknown): boolean {
  return known === undefined || type === undefined || known === type
}

/** Whether an item holds pieces of this kind. The arguments of any tool come in one way at some servers. */
export function holds(head: WireObject, kind: string): boolean {
  return isOfType(head, kind) || (kind !== 'message' && kind !== 'reasoning')
}

/** Whether an item of a whole answer is anything but a thought. */
export function isNoReasoning(item: unknown): boolean {
  return !isJsonObject(item) || item['type'] !== 'reasoning'
}
