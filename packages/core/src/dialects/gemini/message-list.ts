import { asReminder } from '../../clients/claude-code.ts'
import { resultContent } from '../../encode/result-content.ts'
import { noteAnnotations } from '../../encode/words.ts'
import { GO_ON, OPENING } from '../../history/repair.ts'
import type { HubToolResult } from '../../hub/request.ts'
import { encodeMedia, textPart } from './content.ts'
import type { Encoding } from './encoding.ts'
import type { GeminiContent, GeminiPart, GeminiResponsePart } from './wire.ts'

/** The contents of a request while they are put together: the sides alternate, and the user begins and ends. */
export class MessageList {
  readonly contents: GeminiContent[] = []
  readonly encoding: Encoding
  /** What each call is called on the wire, by the client's id. */
  readonly #names = new Map<string, string>()
  /** The path of the last turn of the model. */
  #lastModel = ''

  constructor(encoding: Encoding) {
    this.encoding = encoding
  }

  /** A system message between the turns: contents know two sides only. */
  systemMidway(text: string, path: string): void {
    if (text === '') return
    const words = 'the upstream takes system messages only at the beginning'
    this.encoding.notes.add('system_as_reminder', path, words)
    this.user([textPart(asReminder(text))])
  }

  user(parts: readonly GeminiPart[]): void {
    this.#add('user', parts)
  }

  model(parts: readonly GeminiPart[], path: string): void {
    this.#lastModel = path
    if (parts.length > 0 && this.contents.length === 0) {
      const words = 'the upstream wants the user to begin: a minimal turn was put before'
      this.encoding.notes.add('turn_invented', path, words)
      this.user([textPart(OPENING)])
    }
    this.#add('model', parts)
  }

  /** Remembers under which name a call was made: its response has to name it. */
  called(clientId: string, name: string): void {
    this.#names.set(clientId, this.encoding.names.toWire(name))
  }

  /** Ends with the user where the upstream insists on it. */
  close(): void {
    if (this.contents.at(-1)?.role !== 'model') return
    const { profile, notes } = this.encoding
    if (profile.takesPrefill) {
      notes.add('prefill_kept', this.#lastModel, 'the upstream answers this turn rather than continue it')
      return
    }
    notes.add('prefill_closed', this.#lastModel, 'the upstream refuses a request that ends with the model')
    this.user([textPart(GO_ON)])
  }

  /** A result as a function response; gives back the media that has to follow the responses. */
  response(result: HubToolResult, path: string): { part: GeminiPart; after: readonly GeminiPart[] } {
    const { profile, notes } = this.encoding
    noteAnnotations(result, path, this.encoding)
    const { texts, media } = resultContent(result, { path, encoding: this.encoding }, (block, at) =>
      encodeMedia(block, at, this.encoding).map((piece) => piece.text ?? piece),
    )
    const isInPlace = profile.resultMedia === 'in-place'
    const name = this.#names.get(result.tool_use_id) ?? ''
    if (media.length > 0 && !isInPlace) {
      notes.add('result_media_moved', path, 'images and documents follow the results')
      texts.push(`[${media.length} attachment(s), after the results]`)
    }
    const part = {
      functionResponse: {
        ...this.#idOf(result),
        name,
        response: responseOf(texts.join('\n'), result.is_error === true),
        ...(isInPlace && media.length > 0 && { parts: media as GeminiResponsePart[] }),
      },
    }
    const after = isInPlace || media.length === 0 ? [] : [textPart(`[Attachments of ${name}]`), ...media]
    return { part, after }
  }

  #idOf({ tool_use_id: clientId }: HubToolResult): { id?: string } {
    const { profile, wireIds } = this.encoding
    return profile.takesCallIds ? { id: wireIds.toWire(clientId) } : {}
  }

  /** Parts are never joined, only turns: each keeps its own signature. */
  #add(role: 'user' | 'model', parts: readonly GeminiPart[]): void {
    if (parts.length === 0) return
    const last = this.contents.at(-1)
    if (last?.role === role) last.parts = [...(last.parts ?? []), ...parts]
    else this.contents.push({ role, parts: [...parts] })
  }
}

/** The output is a string and never parsed JSON: Gemini resolves `$ref` keys inside of a response. */
function responseOf(text: string, isError: boolean): Record<string, unknown> {
  if (isError) return { error: text === '' ? 'the tool failed without a message' : text }
  return { output: text }
}
