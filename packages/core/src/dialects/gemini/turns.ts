import type { HubBlock } from '../../hub/request.ts'
import type { PackedThinking } from './thinking.ts'

/** Whose turn it is. */
export type Side = 'user' | 'assistant'

interface Turn {
  readonly role: Side
  content: HubBlock[]
}

/**
 * The turns of a conversation while they are read. Neighbours of one side are one turn, as Google takes them:
 * Google's SDK keeps each piece of an answer as a content of its own.
 */
export class Turns {
  readonly messages: Turn[] = []
  /** Thoughts of the last turn that came without a proof. */
  readonly #shown = new Set<HubBlock>()

  add(side: Side, block: HubBlock): void {
    this.#turn(side).content.push(block)
  }

  /** A thought without a proof; thoughts in pieces are one thought. */
  show(text: string): void {
    const { content } = this.#turn('assistant')
    const last = content.at(-1)
    if (last?.type === 'thinking' && this.#shown.has(last)) {
      last.thinking += text
      return
    }
    const block: HubBlock = { type: 'thinking', thinking: text, signature: '' }
    this.#shown.add(block)
    content.push(block)
  }

  /** Puts the thinking that a signature contained back where it was. */
  restore({ first, before }: PackedThinking): void {
    const turn = this.#turn('assistant')
    // What was packed is all of it, with its proofs; the thoughts beside are the same words for the eye.
    const rest = turn.content.filter((block) => !this.#shown.has(block))
    this.#shown.clear()
    turn.content = [...first, ...rest, ...before]
  }

  #turn(side: Side): Turn {
    const last = this.messages.at(-1)
    if (last?.role === side) return last
    this.#shown.clear()
    const turn: Turn = { role: side, content: [] }
    this.messages.push(turn)
    return turn
  }
}
