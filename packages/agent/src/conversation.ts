import {
  blocksOf,
  type HistoryNeeds,
  type HubMessage,
  type HubRequest,
  type Note,
  Notes,
  repair,
} from '@hydra/core'
import { belongsTo, historyUnits } from './history-units.ts'
import { type Iteration, iterationMessages } from './iteration-messages.ts'
import type { Layout } from './layouts.ts'
import { exportOpenAI, type ExportSource, type OpenAIExport, type Unit } from './openai-export.ts'
import { importOpenAI, type OpenAIImport } from './openai-import.ts'
import { type Trim, trimHistory, type Trimmed } from './trim.ts'

/** What a conversation begins with. */
export interface ConversationStart {
  readonly system?: HubRequest['system']
  readonly messages?: readonly HubMessage[]
}

/** Turns may follow one another as they really did: who needs them to alternate merges them on the way out. */
const NEEDS: HistoryNeeds = { consecutiveTurns: 'keep', firstTurn: 'any' }

const ITERATION = /^iteration_(\d{1,15})$/

/** The history of a conversation in the hub's form, iteration by iteration, with a way to OpenAI's form and back. */
export class Conversation {
  #system: HubRequest['system']
  #systemWire: ExportSource['systemWire']
  #units: Unit[] = []
  #iterations = 0
  readonly #notes = new Notes()

  constructor({ system, messages = [] }: ConversationStart = {}) {
    this.#system = system
    this.add(...messages)
  }

  /** Reads a conversation in OpenAI's form: an export of ours without loss, or messages of any program. */
  static fromOpenAI(source: OpenAIImport): Conversation {
    const { system, systemWire, units, notes } = importOpenAI(source)
    const conversation = new Conversation({ system })
    conversation.#systemWire = systemWire
    conversation.#units = [...units]
    for (const { iteration } of units) {
      const number = Number(ITERATION.exec(iteration ?? '')?.[1] ?? 0)
      conversation.#iterations = Math.max(conversation.#iterations, number)
    }
    conversation.#take(notes)
    return conversation
  }

  /** Writes the conversation in OpenAI's form. */
  toOpenAI(layout: Layout = 'merged'): OpenAIExport {
    return exportOpenAI({ system: this.#system, systemWire: this.#systemWire, units: this.#units }, layout)
  }

  /** Adds messages as they are; the results of calls stay with their calls. */
  add(...messages: readonly HubMessage[]): void {
    let rest = messages
    const last = this.#units.at(-1)
    if (last !== undefined) {
      const end = messages.findIndex((message) => !belongsTo(message, last.turns))
      const own = end === -1 ? messages : messages.slice(0, end)
      if (own.length > 0) {
        this.#units.splice(-1, 1, { iteration: last.iteration, turns: [...last.turns, ...own] })
        rest = messages.slice(own.length)
      }
    }
    for (const turns of historyUnits(rest)) this.#units.push({ turns })
  }

  /**
   * Stores what one iteration brought, and gives the id under which it is known here.
   * The history is legal afterwards, also if the iteration broke off: no call is without a result.
   */
  addIteration(iteration: Iteration): string {
    const id = this.nextIteration
    this.#iterations += 1
    const notes = new Notes()
    const turns = iterationMessages(iteration, notes)
    this.#take(notes.list, `${id}.`)
    if (turns.length > 0) this.#units.push({ turns, iteration: id })
    return id
  }

  /** Makes a history legal that came from elsewhere; what had to change is noted. */
  repair(): void {
    const before = this.messages
    const repaired = repair(before, NEEDS, this.#notes)
    if (repaired === before) return
    const units = new Map(this.#units.map((unit) => [unit.turns[0], unit]))
    this.#units = historyUnits(repaired).map((turns): Unit => {
      const known = units.get(turns[0])
      const isSame =
        known?.turns.length === turns.length && known.turns.every((turn, at) => turn === turns[at])
      return isSame ? known : { turns, iteration: known?.iteration }
    })
  }

  /** What a strategy leaves of the history; the history itself stays whole. */
  trimmed(trim: Trim): Trimmed {
    return trimHistory({ system: this.#system, messages: this.messages }, trim)
  }

  /** The id that the next iteration will have. */
  get nextIteration(): string {
    return `iteration_${this.#iterations + 1}`
  }

  get system(): HubRequest['system'] {
    return this.#system
  }

  /** The whole history. */
  get messages(): readonly HubMessage[] {
    return this.#units.flatMap(({ turns }) => turns)
  }

  /** The ids of all calls so far. */
  get callIds(): ReadonlySet<string> {
    const ids = new Set<string>()
    for (const message of this.messages) {
      for (const block of blocksOf(message)) if (block.type === 'tool_use') ids.add(block.id)
    }
    return ids
  }

  /** What was dropped, changed or invented on the way into this history. */
  get notes(): readonly Note[] {
    return this.#notes.list
  }

  #take(notes: readonly Note[], prefix: string = ''): void {
    for (const { code, path, message } of notes) this.#notes.add(code, prefix + path, message)
  }
}
