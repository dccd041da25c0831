import type { HubBlock, HubMessage, HubToolResult } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { canonicalJson } from './canonical-json.ts'
import type { CallSlot } from './pairing.ts'
import { pairing } from './pairing.ts'

/** One call as the search for loops sees it. */
export interface LoopStep {
  readonly messageIndex: number
  readonly tool: string
  /** Equal for calls of one tool with equal input. */
  readonly signature: string
  /** It succeeded, and not with what this same call said last. */
  readonly isNewForCall: boolean
  /** It succeeded, and with something this tool had not said yet. */
  readonly isNewForTool: boolean
}

/** The calls of a history in order, in one list for each stretch that no words of the user interrupt. */
export function loopSteps(messages: readonly HubMessage[]): LoopStep[][] {
  const stretches: LoopStep[][] = []
  const { calls } = pairing(messages)
  let next = 0
  let memory = new Memory()
  let stretch: LoopStep[] = []
  for (const [messageIndex, message] of messages.entries()) {
    if (message.role === 'user' && blocksOf(message).some(isUsersOwn)) {
      memory = new Memory()
      stretch = []
    }
    for (let call = calls[next]; call?.messageIndex === messageIndex; call = calls[++next]) {
      if (stretch.length === 0) stretches.push(stretch)
      stretch.push(memory.step(call))
    }
  }
  return stretches
}

/** Agents put reminders of their own into user turns, beside results. */
function isUsersOwn(block: HubBlock): boolean {
  if (block.type === 'tool_result') return false
  return block.type !== 'text' || !(block.text === '' || block.text.startsWith('<system-reminder>'))
}

/** Remembers what came of earlier calls, to tell news from repetition. */
class Memory {
  readonly #lastByCall = new Map<string, string>()
  readonly #allByTool = new Map<string, Set<string>>()

  step({ messageIndex, block, results }: CallSlot): LoopStep {
    const tool = block.name
    const signature = `${tool} ${canonicalJson(block.input ?? {})}`
    const result = results.at(-1)?.block
    // An error brings nothing new whatever it says, and neither does a call that was never answered.
    if (result === undefined || result.is_error) {
      return { messageIndex, tool, signature, isNewForCall: false, isNewForTool: false }
    }
    const outcome = outcomeOf(result)
    const isNewForCall = this.#lastByCall.get(signature) !== outcome
    this.#lastByCall.set(signature, outcome)
    return { messageIndex, tool, signature, isNewForCall, isNewForTool: this.#learn(tool, outcome) }
  }

  #learn(tool: string, outcome: string): boolean {
    const known = this.#allByTool.get(tool) ?? new Set()
    if (known.has(outcome)) return false
    this.#allByTool.set(tool, known.add(outcome))
    return true
  }
}

/** Cache marks wander from request to request, so only what a block says counts. */
function outcomeOf({ content }: HubToolResult): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((block) => (block.type === 'text' ? block.text : canonicalJson(block))).join('\n')
}
