import { blocksOf, type HubMessage } from '../hub/request.ts'

/** What a message consists of, without its words. */
export interface MessageOutline {
  readonly index: number
  /** Where it is in the body, if not in a list of its own there under its index. */
  readonly path?: string
  readonly role: string
  /** How many blocks of each type. */
  readonly blocks: Readonly<Record<string, number>>
  readonly calls: number
  readonly results: number
}

/** The outlines of hub messages. */
export function outlineMessages(messages: readonly HubMessage[]): MessageOutline[] {
  return messages.map((message, index) => {
    const blocks = countTypes(blocksOf(message).map((block) => block.type))
    return {
      index,
      role: message.role,
      blocks,
      calls: blocks['tool_use'] ?? 0,
      results: blocks['tool_result'] ?? 0,
    }
  })
}

/** How often each type occurs. */
export function countTypes(types: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
