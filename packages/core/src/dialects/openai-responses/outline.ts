import { countTypes, type MessageOutline } from '../../trace/outline.ts'
import type { InputItem } from './wire.ts'

/** The outlines of the items in a request body. */
export function outline(body: Readonly<Record<string, unknown>>): MessageOutline[] {
  const items = body['input'] as readonly InputItem[]
  return items.map((item, index) => ({
    index,
    role: roleOf(item),
    blocks: countTypes(partTypes(item)),
    calls: item.type === 'function_call' ? 1 : 0,
    results: item.type === 'function_call_output' ? 1 : 0,
  }))
}

function roleOf(item: InputItem): string {
  if ('role' in item && typeof item.role === 'string') return item.role
  return item.type === 'function_call_output' ? 'tool' : 'assistant'
}

function partTypes(item: InputItem): string[] {
  if (!('content' in item)) return item.type ? [item.type] : []
  const { content } = item
  if (typeof content === 'string') return content === '' ? [] : ['text']
  return (content ?? []).map((part) => part.type)
}
