import { asReminder } from '../../clients/claude-code.ts'
import { joined } from '../../encode/words.ts'
import { GO_ON, OPENING } from '../../history/repair.ts'
import type { AssistantTurn } from './assistant-turn.ts'
import type { Encoding } from './encoding.ts'
import type { QEntry, QImage, QToolResult, QUserMessage } from './wire.ts'

/** What a message of the user comes down to. */
export interface UserTurn {
  readonly text: string
  readonly images: readonly QImage[]
  readonly results: readonly QToolResult[]
}

/** What the assistant is made to say where it was silent between two turns of the user that have to stay apart. */
const SILENCE = '(no answer)'

/** The conversation as the format wants it. */
export interface StrictTurns {
  readonly history: readonly QEntry[]
  /** The user's turn that is to be answered. */
  readonly current: UserTurn
}

interface UserEntry {
  readonly side: 'user'
  readonly texts: string[]
  readonly images: QImage[]
  readonly results: readonly QToolResult[]
  /** The text of the message that was added last, for telling a repetition. */
  said: string
}

interface AssistantEntry {
  readonly side: 'assistant'
  readonly texts: string[]
  readonly calls: AssistantTurn['calls']
}

/** Puts turns into strict order: the user begins, the sides alternate, and the last turn is the user's. */
export class Turns {
  readonly #encoding: Encoding
  readonly #entries: (UserEntry | AssistantEntry)[] = []

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  user(turn: UserTurn, path: string): void {
    if (turn.text === '' && turn.images.length === 0 && turn.results.length === 0) return
    const last = this.#last
    if (last?.side !== 'user') {
      this.#openUser(turn)
      return
    }
    if (this.#repeats(last, turn, path)) return
    // Results that share a turn with what the user said next have been taken for unanswered calls.
    if (last.results.length > 0 || turn.results.length > 0) {
      this.#note(
        'turn_invented',
        path,
        'the sides must alternate: a silent turn of the assistant was put between',
      )
      this.#openAssistant({ text: SILENCE, calls: [] })
      this.#openUser(turn)
      return
    }
    this.#note('turns_merged', path, 'joined to the turn before it: the sides must alternate')
    last.texts.push(turn.text)
    last.images.push(...turn.images)
    last.said = turn.text
  }

  /** A system message between the turns, which the format knows only as words to the model on the user's side. */
  reminder(text: string, path: string): void {
    if (text === '') return
    this.#note('system_as_reminder', path, 'the format has no system messages')
    const words = asReminder(text)
    const last = this.#last
    if (last?.side === 'user') last.texts.push(words)
    else this.#openUser({ text: words, images: [], results: [] })
  }

  assistant(turn: AssistantTurn, path: string): void {
    if (turn.text === '' && turn.calls.length === 0) return
    const last = this.#last
    if (last === undefined) {
      this.#note('turn_invented', path, 'the user must begin: a minimal turn was put before this one')
      this.#openUser({ text: OPENING, images: [], results: [] })
    }
    if (last?.side === 'assistant') {
      // Everything between them was empty. A turn with calls is never followed directly: its results are.
      this.#note('turns_merged', path, 'joined to the turn before it: the sides must alternate')
      this.#entries.pop()
      this.#openAssistant({ text: joined([...last.texts, turn.text]), calls: [...last.calls, ...turn.calls] })
      return
    }
    this.#openAssistant(turn)
  }

  /** The conversation, if anything was said at all. */
  finish(path: string): StrictTurns | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    if (last.side === 'assistant') {
      this.#note('prefill_kept', path, 'the upstream answers this turn rather than continue it')
      this.#note('current_invented', path, 'the last turn must be of the user: a minimal one was put behind')
      return { history: this.#entries.map(entryOf), current: plain(GO_ON) }
    }
    return { history: this.#entries.slice(0, -1).map(entryOf), current: turnOf(last) }
  }

  get #last(): UserEntry | AssistantEntry | undefined {
    return this.#entries.at(-1)
  }

  /** A client that tries again says the same words twice in a row; the model would see two questions. */
  #repeats(last: UserEntry, turn: UserTurn, path: string): boolean {
    const isPlain = turn.images.length === 0 && turn.results.length === 0
    if (!isPlain || turn.text !== last.said) return false
    this.#note('turn_repeated', path, 'the same words as in the turn before it: said once')
    return true
  }

  #openUser({ text, images, results }: UserTurn): void {
    this.#entries.push({ side: 'user', texts: [text], images: [...images], results, said: text })
  }

  #openAssistant({ text, calls }: AssistantTurn): void {
    this.#entries.push({ side: 'assistant', texts: [text], calls })
  }

  #note(code: string, path: string, message: string): void {
    this.#encoding.notes.add(code, path, message)
  }
}

function plain(text: string): UserTurn {
  return { text, images: [], results: [] }
}

function turnOf({ texts, images, results }: UserEntry): UserTurn {
  return { text: joined(texts), images, results }
}

function entryOf(entry: UserEntry | AssistantEntry): QEntry {
  if (entry.side === 'user') return { userInputMessage: userMessage(turnOf(entry)) }
  const content = joined(entry.texts)
  return {
    assistantResponseMessage: entry.calls.length === 0 ? { content } : { content, toolUses: entry.calls },
  }
}

/** A turn of the user in the upstream's form. */
export function userMessage({ text, images, results }: UserTurn): QUserMessage {
  return {
    content: text,
    ...(results.length > 0 && { userInputMessageContext: { toolResults: results } }),
    ...(images.length > 0 && { images }),
  }
}
