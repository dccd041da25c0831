import { asReminder } from '../../clients/claude-code.ts'
import { GO_ON, OPENING } from '../../history/repair.ts'
import type { HubToolResult } from '../../hub/request.ts'
import { resultContent } from '../../encode/result-content.ts'
import { resultText } from '../../encode/result-text.ts'
import { joined, noteAnnotations } from '../../encode/words.ts'
import { encodeMedia, textPart } from './content.ts'
import type { Encoding } from './encoding.ts'
import type { AssistantTurn, SignedDetail } from './assistant-turn.ts'
import type { ChatMessage, ChatPart } from './wire.ts'

/** What the assistant is made to say between results and the user. */
const BRIDGE = 'OK.'

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
    this.#extendUser([textPart(asReminder(text))])
  }

  user(parts: readonly ChatPart[]): void {
    if (parts.length === 0) return
    if (this.encoding.profile.consecutiveTurns === 'merge') this.#extendUser(parts)
    else this.#pushUser(parts)
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
    const text = joined([before.text, turn.text])
    const signed = [...before.signed, ...turn.signed]
    return { text, thinking: before.thinking + turn.thinking, signed, calls: turn.calls }
  }

  #pushAssistant({ text, thinking, signed, calls }: AssistantTurn): void {
    const { contentBesideCalls, replaysThinking } = this.encoding.profile
    this.messages.push({
      role: 'assistant',
      content: text === '' ? contentBesideCalls : text,
      // Where thinking is taken back, a turn with calls is refused when it has none at all.
      ...(replaysThinking !== undefined && (thinking !== '' || (calls.length > 0 && signed.length === 0))
        ? { [replaysThinking]: thinking }
        : {}),
      ...(signed.length > 0 ? { reasoning_details: numbered(signed) } : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    })
  }

  /** Answers a call; gives back the media that has to follow in a user's message. */
  toolResult(result: HubToolResult, path: string): readonly ChatPart[] {
    const { profile, notes, wireIds } = this.encoding
    noteAnnotations(result, path, this.encoding)
    const place = { path, encoding: this.encoding }
    const { texts, media } = resultContent(result, place, (block, at) => {
      const part = encodeMedia(block, at, this.encoding)
      return [part.type === 'text' ? part.text : part]
    })
    const id = wireIds.toWire(result.tool_use_id)
    if (profile.resultMedia === 'in-place' && media.length > 0) {
      const parts = [textPart(resultText(texts.join('\n'), result, profile.emptyResult)), ...media]
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
      content: resultText(texts.join('\n'), result, profile.emptyResult),
    })
    return media.length === 0 ? [] : [textPart(`[Attachments of the tool result ${id}]`), ...media]
  }

  /** Some templates know results only before the assistant's own words. */
  #pushUser(parts: readonly ChatPart[]): void {
    const { profile, notes } = this.encoding
    if (profile.userAfterResults === 'bridge' && this.messages.at(-1)?.role === 'tool') {
      const words = 'the upstream wants the assistant to speak behind results: a minimal turn was put between'
      notes.addOnce('turn_invented', 'messages', words)
      this.messages.push({ role: 'assistant', content: BRIDGE })
    }
    this.messages.push({ role: 'user', content: contentOf(parts) })
  }

  /** Ends with the user where the upstream insists on it. */
  close(): void {
    if (this.encoding.profile.takesPrefill || this.messages.at(-1)?.role !== 'assistant') return
    this.encoding.notes.add(
      'prefill_closed',
      'messages',
      'the upstream refuses a request that ends with the assistant',
    )
    this.messages.push({ role: 'user', content: GO_ON })
  }

  /** Adds to the user's message before, or begins one. */
  #extendUser(parts: readonly ChatPart[]): void {
    const last = this.messages.at(-1)
    if (last?.role !== 'user') {
      this.#pushUser(parts)
      return
    }
    const before = typeof last.content === 'string' ? [textPart(last.content)] : last.content
    this.messages[this.messages.length - 1] = { role: 'user', content: contentOf([...before, ...parts]) }
  }
}

function numbered(details: readonly SignedDetail[]): object[] {
  return details.map((detail, index) => Object.assign({ index }, detail))
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
