import { OPENING } from '../../history/repair.ts'
import type { HubToolResult } from '../../hub/request.ts'
import { encodeBlock, isMedia, noteAnnotations, resultText, textPart } from './content.ts'
import { type Encoding, wellFormed } from './encoding.ts'
import type { AssistantTurn } from './assistant-turn.ts'
import type { ChatMessage, ChatPart } from './wire.ts'

/** How results that are errors begin when they already say so themselves. */
const SAYS_ERROR = /^\s*(?:<tool_use_error>|\[?error\b|exit code [1-9]|traceback\b|exception\b|failed\b)/i

/** The messages of a request while they are put together. */
export class MessageList {
  readonly encoding: Encoding
  readonly messages: ChatMessage[] = []
  #assistantTurn: AssistantTurn | undefined

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  system(text: string): void {
    if (text !== '') this.messages.push({ role: this.encoding.profile.systemRole, content: text })
  }

  /** A system message between the turns, where the upstream takes one; else a reminder to the user's side. */
  systemMidway(text: string, path: string): void {
    if (text === '') return
    const { profile, notes } = this.encoding
    if (profile.systemMidway === 'keep') {
      this.system(text)
      return
    }
    notes.add('system_as_reminder', path, 'this upstream takes system messages only at the beginning')
    this.#extendUser([textPart(`<system-reminder>\n${text}\n</system-reminder>`)])
  }

  user(parts: readonly ChatPart[]): void {
    if (parts.length === 0) return
    if (this.encoding.profile.consecutiveTurns === 'merge') this.#extendUser(parts)
    else this.messages.push({ role: 'user', content: contentOf(parts) })
  }

  assistant(turn: AssistantTurn, path: string): void {
    if (turn.text === '' && turn.calls.length === 0) return
    this.#letUserBegin(path)
    this.#assistantTurn = this.#withTurnBefore(turn)
    this.#pushAssistant(this.#assistantTurn)
  }

  /** The user's turns may have been there and said nothing: that is no beginning on the wire. */
  #letUserBegin(path: string): void {
    const { profile, notes } = this.encoding
    if (profile.firstTurn === 'any') return
    if (this.messages.some(({ role }) => role !== 'system' && role !== 'developer')) return
    notes.add('turn_invented', path, 'the upstream wants the user to begin: a minimal turn was put before')
    this.messages.push({ role: 'user', content: OPENING })
  }

  /** Where the sides must alternate, a turn takes up the one before it when everything in between was empty. */
  #withTurnBefore(turn: AssistantTurn): AssistantTurn {
    const before = this.#assistantTurn
    const isNext = before !== undefined && this.messages.at(-1)?.role === 'assistant'
    if (!isNext || this.encoding.profile.consecutiveTurns === 'keep') return turn
    this.messages.pop()
    const text = [before.text, turn.text].filter((piece) => piece !== '').join('\n\n')
    return { text, thinking: before.thinking + turn.thinking, calls: turn.calls }
  }

  #pushAssistant({ text, thinking, calls }: AssistantTurn): void {
    const { contentBesideCalls, replaysThinking } = this.encoding.profile
    this.messages.push({
      role: 'assistant',
      content: text === '' ? contentBesideCalls : text,
      // Where thinking is taken back, a turn with calls is refused when it has none at all.
      ...(replaysThinking !== undefined && (thinking !== '' || calls.length > 0)
        ? { [replaysThinking]: thinking }
        : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    })
  }

  /** Answers a call; gives back the media that has to follow in a user's message. */
  toolResult(result: HubToolResult, path: string): readonly ChatPart[] {
    const { profile, notes, wireIds } = this.encoding
    noteAnnotations(result, path, this.encoding)
    const { texts, media } = this.#resultContent(result, path)
    const id = wireIds.toWire(result.tool_use_id)
    if (profile.resultMedia === 'in-place' && media.length > 0) {
      const parts = [textPart(this.#resultText(texts.join('\n'), result)), ...media]
      // OpenAI's types know text only; profiles say who takes more.
      this.messages.push({ role: 'tool', tool_call_id: id, content: parts } as ChatMessage)
      return []
    }
    if (media.length > 0) {
      notes.add('result_media_moved', path, 'images and documents follow the results in a user message')
      texts.push(`[${media.length} attachment(s), in the user message that follows the results]`)
    }
    this.messages.push({
      role: 'tool',
      tool_call_id: id,
      content: this.#resultText(texts.join('\n'), result),
    })
    return media.length === 0 ? [] : [textPart(`[Attachments of the tool result ${id}]`), ...media]
  }

  #resultContent(result: HubToolResult, path: string): { texts: string[]; media: ChatPart[] } {
    if (typeof result.content === 'string') {
      return { texts: [wellFormed(result.content, `${path}.content`, this.encoding.notes)], media: [] }
    }
    const texts: string[] = []
    const media: ChatPart[] = []
    for (const [index, block] of (result.content ?? []).entries()) {
      const place = `${path}.content[${index}]`
      if (!isMedia(block)) {
        texts.push(resultText(block, place, this.encoding))
        continue
      }
      const part = encodeBlock(block, place, this.encoding)
      if (part?.type === 'text') texts.push(part.text)
      else if (part !== undefined) media.push(part)
    }
    return { texts, media }
  }

  #resultText(text: string, result: HubToolResult): string {
    if (text === '')
      return result.is_error ? 'Error: the tool failed without a message' : this.encoding.profile.emptyResult
    return result.is_error && !SAYS_ERROR.test(text) ? `Error: ${text}` : text
  }

  /** Adds to the user's message before, or begins one. */
  #extendUser(parts: readonly ChatPart[]): void {
    const last = this.messages.at(-1)
    if (last?.role !== 'user') {
      this.messages.push({ role: 'user', content: contentOf(parts) })
      return
    }
    const before = typeof last.content === 'string' ? [textPart(last.content)] : last.content
    this.messages[this.messages.length - 1] = { role: 'user', content: contentOf([...before, ...parts]) }
  }
}

/** Text alone goes as a string, which every server takes; parts only where there is media. */
function contentOf(parts: readonly ChatPart[]): string | ChatPart[] {
  const texts: string[] = []
  for (const part of parts) {
    if (part.type !== 'text') return [...parts]
    texts.push(part.text)
  }
  return texts.join('\n\n')
}
