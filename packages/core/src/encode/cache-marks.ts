import type { HubBlock, HubMessage, HubRequest } from '../hub/request.ts'

/** The parts of a request that may carry marks. */
type Marked = Pick<HubRequest, 'tools' | 'system' | 'messages'>

/** Whether the client has said itself what is to be cached. */
export function hasCacheMarks({ tools = [], system = [], messages }: Marked): boolean {
  return (
    tools.some(isMarked) || (typeof system !== 'string' && system.some(isMarked)) || messages.some(holdsMark)
  )
}

function holdsMark({ content }: HubMessage): boolean {
  return Array.isArray(content) && content.some((block) => isMarked(block) || holdsMarkedResult(block))
}

function holdsMarkedResult(block: HubBlock): boolean {
  return block.type === 'tool_result' && Array.isArray(block.content) && block.content.some(isMarked)
}

/** Whether a part carries a mark. */
export function isMarked(part: object): boolean {
  return 'cache_control' in part
}

/** The parts that may have marks, in the order in which they are read. */
export function partsOf({ tools = [], system = [], messages }: Marked): readonly object[] {
  const blocks = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap(partsOfBlock) : [],
  )
  return [...tools, ...(typeof system === 'string' ? [] : system), ...blocks]
}

function partsOfBlock(block: HubBlock): readonly object[] {
  return block.type === 'tool_result' && Array.isArray(block.content) ? [...block.content, block] : [block]
}
