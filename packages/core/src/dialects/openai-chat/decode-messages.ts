import { cacheMark } from '../../decode/cache-mark.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import { inputOfText } from '../../hub/input-text.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubBlock, HubMessage, HubTextBlock, HubToolResult, HubToolUse } from '../../hub/request.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isPresent } from '../../json/present.ts'
import { decodePart, leftOut, type PartPlace, textBlock } from './decode-part.ts'
import { decodeThinking, isThinkingPart, type RecallThinking } from './decode-thinking.ts'
import type { ChatMessage, ChatPart } from './wire.ts'

/** Where messages were found, and what is known of them. */
export interface MessagePlace {
  /** The index of the first one in the request. */
  readonly first: number
  readonly notes: Notes
  /** What was thought before a call, by its id; without it the client's words are all there is. */
  readonly recall?: RecallThinking | undefined
}

/**
 * Decodes messages that have passed `checkMessage`. Results of calls that follow one another become one turn of the
 * user, and what the user says directly behind them belongs to it.
 */
export function decodeMessages(messages: readonly ChatMessage[], place: MessagePlace): HubMessage[] {
  const decoder = new HistoryDecoder(place)
  messages.forEach((message, index) => decoder.read(message, `messages[${place.first + index}]`))
  return decoder.turns
}

/** Content as text blocks, for a system prompt; `path` is that of its message. */
export function decodeSystemContent(content: unknown, { path, notes }: PartPlace): HubTextBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [textBlock(content)]
  if (!Array.isArray(content)) return []
  return content.flatMap((part: ChatPart, index) => {
    if (part.type !== 'text') return leftOut(part.type, { path: `${path}.content[${index}]`, notes })
    return part.text === '' ? [] : { ...textBlock(part.text), ...cacheMark(part) }
  })
}

type Assistant = Extract<ChatMessage, { role: 'assistant' }>
type Tool = Extract<ChatMessage, { role: 'tool' }>
type LegacyResult = Extract<ChatMessage, { role: 'function' }>
type Content = string | readonly ChatPart[]
type ResultContent = Exclude<HubToolResult['content'], string | undefined>

class HistoryDecoder {
  readonly turns: HubMessage[] = []
  readonly #notes: Notes
  readonly #recall: RecallThinking | undefined
  /** The turn of the user that results still go to. */
  #answers: HubBlock[] | undefined
  /** The ids that were made for legacy calls which have no result yet, by the function's name. */
  readonly #legacyIds = new Map<string, string>()

  constructor({ notes, recall }: MessagePlace) {
    this.#notes = notes
    this.#recall = recall
  }

  read(message: ChatMessage, path: string): void {
    noteMessageFields(message, path, this.#notes)
    switch (message.role) {
      case 'assistant':
        this.#answers = undefined
        this.turns.push({ role: 'assistant', content: this.#assistant(message, path) })
        return
      case 'tool':
        this.#answer(this.#result(message, path))
        return
      case 'function':
        this.#legacyResult(message, path)
        return
      case 'user':
        if (this.#answers !== undefined) this.#answers.push(...this.#blocks(message.content, path))
        else this.turns.push({ role: 'user', content: this.#userContent(message.content, path) })
        return
      default:
        this.#answers = undefined
        this.turns.push({ role: 'system', content: this.#systemContent(message.content, path) })
    }
  }

  #systemContent(content: Content, path: string): string | HubTextBlock[] {
    return typeof content === 'string' ? content : decodeSystemContent(content, { path, notes: this.#notes })
  }

  #answer(block: HubBlock): void {
    if (this.#answers === undefined) {
      this.#answers = []
      this.turns.push({ role: 'user', content: this.#answers })
    }
    this.#answers.push(block)
  }

  #userContent(content: Content, path: string): string | HubBlock[] {
    return typeof content === 'string' ? content : this.#blocks(content, path)
  }

  #blocks(content: Content, path: string): HubBlock[] {
    if (typeof content === 'string') return content === '' ? [] : [textBlock(content)]
    return content.flatMap((part, index) => {
      // No upstream takes an empty text, and it says nothing.
      if (part.type === 'text' && part.text === '') return []
      return decodePart(part, { path: `${path}.content[${index}]`, notes: this.#notes })
    })
  }

  #result({ content, tool_call_id: id, ...more }: Tool, path: string): HubToolResult {
    const mark = cacheMark(more)
    // A tool that has nothing to say: some clients leave its content out, or send null.
    const said = isPresent(content) ? content : ''
    if (typeof said === 'string') return { type: 'tool_result', tool_use_id: id, content: said, ...mark }
    // A result may hold every block that a part can become.
    const blocks = this.#blocks(said, path) as ResultContent
    return { type: 'tool_result', tool_use_id: id, content: blocks, ...mark }
  }

  #legacyResult({ name, content }: LegacyResult, path: string): void {
    const id = this.#legacyIds.get(name)
    if (id === undefined) {
      this.#notes.add('function_result_as_text', path, `there is no call of ${name} before this result`)
      this.turns.push({ role: 'user', content: content ?? '' })
      return
    }
    this.#legacyIds.delete(name)
    this.#answer({ type: 'tool_result', tool_use_id: id, content: content ?? '' })
  }

  #assistant(message: Assistant, path: string): HubBlock[] {
    const { tool_calls: calls, function_call: legacy } = message
    const uses = (calls ?? []).map((call) => this.#call(call, path))
    if (legacy) uses.push(this.#legacyCall(legacy, path))
    const thinking = decodeThinking(message, uses, { path, notes: this.#notes, recall: this.#recall })
    const blocks: HubBlock[] = [...thinking.first, ...this.#said(message, path)]
    for (const use of uses) blocks.push(...thinking.before(use.id), use)
    blocks.push(...thinking.after)
    return blocks
  }

  #said({ content, refusal, audio }: Assistant, path: string): HubBlock[] {
    const said =
      typeof content === 'string'
        ? [textBlock(content)]
        : (content ?? []).flatMap((part, index) =>
            spokenPart(part, { path: `${path}.content[${index}]`, notes: this.#notes }),
          )
    if (refusal) said.push(textBlock(refusal))
    if (audio) {
      this.#notes.add('audio_left_out', `${path}.audio`, 'what was said as audio is known to OpenAI only')
      said.push(textBlock('[audio left out]'))
    }
    return said.filter(({ text }) => text !== '')
  }

  #call(call: NonNullable<Assistant['tool_calls']>[number], path: string): HubToolUse {
    const place = { path: `${path}.tool_calls[]`, notes: this.#notes }
    noteOtherFields(call as unknown as JsonObject, FIELDS_OF_CALLS, place)
    if (call.type !== 'custom') {
      const { name, arguments: json } = call.function
      return { type: 'tool_use', id: call.id, name, input: inputOfText(json ?? '') }
    }
    this.#notes.addOnce('custom_call', path, 'the input of a custom call is text, here in an object')
    return { type: 'tool_use', id: call.id, name: call.custom.name, input: { input: call.custom.input } }
  }

  /** A legacy call has no id: its place in the conversation, which never changes, makes one. */
  #legacyCall({ name, arguments: json }: NonNullable<Assistant['function_call']>, path: string): HubToolUse {
    const id = `call_legacy_${path.replaceAll(/\D/g, '')}`
    this.#legacyIds.set(name, id)
    return { type: 'tool_use', id, name, input: inputOfText(json ?? '') }
  }
}

type SpokenPart = Exclude<Assistant['content'], string | null | undefined>[number]

function spokenPart(part: SpokenPart, place: PartPlace): HubTextBlock[] {
  if (part.type === 'text') return [{ ...textBlock(part.text), ...cacheMark(part) }]
  if (part.type === 'refusal') return [{ ...textBlock(part.refusal), ...cacheMark(part) }]
  return isThinkingPart(part) ? [] : [leftOut((part as ChatPart).type, place)]
}

/** The fields that are read, whatever the role. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'function_call',
  'audio',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'cache_control',
])

/** The fields of calls that are read; `index` is left over from a stream. */
const FIELDS_OF_CALLS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'function',
  'custom',
  'index',
  'extra_content',
])

/** Notes each field of a message that is not read. */
export function noteMessageFields(message: ChatMessage, path: string, notes: Notes): void {
  const fields: JsonObject = isJsonObject(message) ? message : {}
  for (const field in fields) {
    const value = fields[field]
    if (KNOWN_FIELDS.has(field) || value === null || value === undefined) continue
    if (field === 'name' && message.role === 'function') continue
    if (Array.isArray(value) && value.length === 0) continue
    if (field === 'refusal') notes.add('refusal_as_text', path, 'a refusal is plain text in the hub')
    else
      notes.add(
        'field_not_in_hub',
        `${path}.${field}`,
        'the hub has no such field: the model does not see it',
      )
  }
}
