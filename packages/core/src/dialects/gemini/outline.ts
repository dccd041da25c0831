import { countTypes, type MessageOutline } from '../../trace/outline.ts'
import type { GeminiContent, GeminiPart } from './wire.ts'

/** The outlines of the contents in a request body. */
export function outline(body: Readonly<Record<string, unknown>>): MessageOutline[] {
  const contents = body['contents'] as readonly GeminiContent[]
  return contents.map(({ role = 'user', parts = [] }, index) => {
    const blocks = countTypes(parts.map(kindOf))
    return {
      index,
      role,
      blocks,
      calls: blocks['functionCall'] ?? 0,
      results: blocks['functionResponse'] ?? 0,
    }
  })
}

const BESIDES: ReadonlySet<string> = new Set(['thought', 'thoughtSignature'])

function kindOf(part: GeminiPart): string {
  return Object.keys(part).find((key) => !BESIDES.has(key)) ?? 'empty'
}
