import type { CollectedBlock } from '@hydra/core'
import { jsonOf } from './json-text.ts'
import type { Utterance } from './session-summary.ts'

/** What the blocks of an answer say; one whose end never came is marked as cut. */
export function utterancesOf(blocks: readonly CollectedBlock[]): readonly Utterance[] {
  return blocks.map((block) => (block.isComplete ? utteranceOf(block) : { ...utteranceOf(block), cut: true }))
}

function utteranceOf({ head, content }: CollectedBlock): Utterance {
  switch (head.type) {
    case 'text':
    case 'thinking':
      return { who: 'assistant', kind: head.type, text: content }
    case 'tool_use':
    case 'server_tool_use':
      return { who: 'assistant', kind: 'call', name: head.name, text: content, id: head.id }
    case 'whole':
      return { who: 'assistant', kind: 'other', text: jsonOf(head.block) }
  }
}
