import type { HubBlock, HubRequest } from '@hydra/core'

/** One block of a request whose way is followed, and where it is. */
export interface Piece {
  /** `system[0]`, `messages[2].content[1]`. */
  readonly path: string
  /** Its short name: `system.0`, `[2].1`. */
  readonly label: string
  /** None for the system prompt. */
  readonly messageIndex: number | undefined
  readonly block: HubBlock
}

/** The pieces of a request in order; a text without blocks is one. */
export function piecesOf({ system, messages }: Pick<HubRequest, 'system' | 'messages'>): Piece[] {
  const before = blocksIn(system).map((block, index): Piece => ({
    path: `system[${index}]`,
    label: `system.${index}`,
    messageIndex: undefined,
    block,
  }))
  const spoken = messages.flatMap(({ content }, messageIndex) =>
    blocksIn(content).map((block, index): Piece => ({
      path: `messages[${messageIndex}].content[${index}]`,
      label: `[${messageIndex}].${index}`,
      messageIndex,
      block,
    })),
  )
  return [...before, ...spoken]
}

function blocksIn(content: string | readonly HubBlock[] | undefined): readonly HubBlock[] {
  if (content === undefined) return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
