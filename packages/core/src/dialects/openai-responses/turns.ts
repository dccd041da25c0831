import type { HubBlock, HubMessage, HubTextBlock } from '../../hub/request.ts'

/** Puts the blocks of a flat list of items into turns: those of one side that follow one another are one turn. */
export class Turns {
  readonly messages: HubMessage[] = []
  readonly system: HubTextBlock[] = []
  #role: HubMessage['role'] | undefined
  #blocks: HubBlock[] = []

  add(role: 'user' | 'assistant', blocks: readonly HubBlock[]): void {
    if (blocks.length === 0) return
    if (this.#role !== role) this.#begin(role)
    this.#blocks.push(...blocks)
  }

  /** Instructions: before everything else they are the system prompt, later on a turn of their own. */
  instruct(texts: readonly HubTextBlock[]): void {
    if (texts.length === 0) return
    if (this.#role === undefined) {
      this.system.push(...texts)
      return
    }
    this.#begin('system')
    this.#blocks.push(...texts)
  }

  #begin(role: HubMessage['role']): void {
    this.#role = role
    this.#blocks = []
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a union of roles is no union of turns
    this.messages.push({ role, content: this.#blocks } as HubMessage)
  }
}
