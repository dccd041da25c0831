import type { Notes } from '../hub/note.ts'
import type { HubBlock, HubMessage } from '../hub/request.ts'
import { staysApart } from './is-legal.ts'
import type { CallSlot } from './pairing.ts'
import type { HistoryNeeds } from './repair.ts'

/** A message of the user or the assistant, not of the system. */
export type SpokenMessage = Exclude<HubMessage, { role: 'system' }>

/** One message of the input as a part of a turn. */
export interface Part {
  readonly messageIndex: number
  readonly message: SpokenMessage
  /** What it says itself: an assistant's blocks, or a user's blocks without the results of calls. */
  readonly own: readonly HubBlock[]
}

/** One message of the repaired history: the parts it is made of, and what follows it. */
export interface Turn {
  readonly role: SpokenMessage['role']
  readonly parts: Part[]
  /** The calls that an assistant turn makes or that a user turn has to answer. */
  readonly calls: CallSlot[]
  /** System messages that come directly after it. */
  after: HubMessage[]
}

/** Puts messages into turns so that after a turn with calls there is always a user turn for their results. */
export class Turns {
  readonly leading: HubMessage[] = []
  readonly list: Turn[] = []
  readonly #consecutive: HistoryNeeds['consecutiveTurns']
  readonly #notes: Notes

  constructor(consecutiveTurns: HistoryNeeds['consecutiveTurns'], notes: Notes) {
    this.#consecutive = consecutiveTurns
    this.#notes = notes
  }

  system(message: HubMessage, messageIndex: number): void {
    const list = this.#last?.after ?? this.leading
    list.push(message)
    if (!this.#awaitsResults) return
    this.#notes.add(
      'system_moved',
      `messages[${messageIndex}]`,
      'moved behind the results of the calls before it',
    )
  }

  assistant(part: Part, calls: readonly CallSlot[]): void {
    if (this.#joins(part)) {
      this.#last?.calls.push(...calls)
      return
    }
    if (this.#awaitsResults) this.#open('user', [])
    this.#open('assistant', [part]).calls.push(...calls)
  }

  user(part: Part): void {
    if (this.#joins(part)) return
    const emptied = part.own.length === 0 && part.message.content.length > 0
    if (emptied && !this.#awaitsResults) return
    this.#open('user', [part])
  }

  end(): void {
    if (this.#awaitsResults) this.#open('user', [])
  }

  get #last(): Turn | undefined {
    return this.list.at(-1)
  }

  get #awaitsResults(): boolean {
    return this.#last?.role === 'assistant' && this.#last.calls.length > 0
  }

  #joins(part: Part): boolean {
    const last = this.#last
    if (last?.role !== part.message.role || staysApart(last.role, this.#consecutive)) return false
    // Where only the assistant's turns become one, a system message between two of them becomes a turn of the user.
    if (this.#consecutive === 'merge-assistant' && last.after.length > 0) return false
    last.parts.push(part)
    const message = `joined to the ${last.role}'s turn before it, because the target wants the sides to alternate`
    this.#notes.add('turns_merged', `messages[${part.messageIndex}]`, message)
    return true
  }

  #open(role: Turn['role'], parts: Part[]): Turn {
    const before = this.#awaitsResults ? this.#last : undefined
    const turn: Turn = { role, parts, calls: before?.calls ?? [], after: before?.after ?? [] }
    if (before !== undefined) before.after = []
    this.list.push(turn)
    return turn
  }
}
