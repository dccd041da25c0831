import { isReminder } from '../clients/habits.ts'
import type { HubBlock, HubMessage, HubToolResult } from '../hub/request.ts'
import { blocksOf } from '../hub/request.ts'
import { canonicalJson } from './canonical-json.ts'
import type { CallSlot } from './pairing.ts'
import { pairing } from './pairing.ts'
import { isStandIn } from './stand-in.ts'
import { TextNumbers } from './text-numbers.ts'

/** One call as the search for loops sees it. */
export interface LoopStep {
  readonly messageIndex: number
  readonly tool: string
  /** The name and the input. */
  readonly signature: string
  /** Equal for equal signatures, which may be long. */
  readonly call: number
  /** What came of it: a result, an error, or nothing at all (also where a stand-in takes its place). */
  readonly outcome: 'result' | 'error' | 'lost'
  /** It was answered, and not with what this same call was answered last. */
  readonly isNewForCall: boolean
  /** It was answered with something this tool had not said yet. */
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
    if (hasUsersWords(message)) {
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

/** Whether the user says something in a message, and not only tools or the agent's own reminders. */
export function hasUsersWords(message: HubMessage): boolean {
  return message.role === 'user' && blocksOf(message).some(isUsersOwn)
}

/** Agents put reminders of their own into user turns, beside results. */
function isUsersOwn(block: HubBlock): boolean {
  if (block.type === 'tool_result') return false
  return block.type !== 'text' || !(block.text === '' || isReminder(block.text))
}

/** Remembers what came of earlier calls, to tell news from repetition. */
class Memory {
  readonly #texts = new TextNumbers()
  readonly #lastByCall = new Map<string, number>()
  readonly #allByTool = new Map<string, Set<number>>()

  step({ messageIndex, block, results }: CallSlot): LoopStep {
    const tool = block.name
    const signature = `${tool} ${canonicalJson(block.input ?? {})}`
    const call = this.#texts.numberOf(signature)
    const result = results.at(-1)?.block
    const words = result === undefined ? '' : wordsOf(result)
    if (result === undefined || isStandIn(words)) {
      return {
        messageIndex,
        tool,
        signature,
        call,
        outcome: 'lost',
        isNewForCall: false,
        isNewForTool: false,
      }
    }
    const outcome = result.is_error ? 'error' : 'result'
    const textNumber = this.#texts.numberOf(words)
    // A failure between two equal results makes neither of them new, so the two are remembered apart.
    const key = `${outcome} ${call}`
    const isNewForCall = this.#lastByCall.get(key) !== textNumber
    this.#lastByCall.set(key, textNumber)
    const isNewForTool = this.#learn(`${outcome} ${tool}`, textNumber)
    return { messageIndex, tool, signature, call, outcome, isNewForCall, isNewForTool }
  }

  #learn(key: string, textNumber: number): boolean {
    const known = this.#allByTool.get(key) ?? new Set()
    if (known.has(textNumber)) return false
    this.#allByTool.set(key, known.add(textNumber))
    return true
  }
}

/** Cache marks wander from request to request, so only what a block says counts. */
function wordsOf({ content }: HubToolResult): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map((block) => (block.type === 'text' ? block.text : canonicalJson(block))).join('\n')
}
