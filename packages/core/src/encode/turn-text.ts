import type { HubBlock } from '../hub/request.ts'

/** The text of an assistant's turn while its blocks are added. */
export class TurnText {
  #text = ''
  #previous: HubBlock['type'] | undefined

  get text(): string {
    return this.#text
  }

  /** Adds the words of a block. Neighbouring texts are one sentence cut by citations; across anything else they are two. */
  add(type: HubBlock['type'], words: string): void {
    if (words === '') return
    const isSentence = this.#text === '' || (type === 'text' && this.#previous === 'text')
    this.#text += isSentence ? words : `\n\n${words}`
    this.#previous = type
  }

  /** A block that is no text comes in between. */
  interrupt(type: HubBlock['type']): void {
    this.#previous = type
  }
}
