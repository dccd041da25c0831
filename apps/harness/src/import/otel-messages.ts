import { isJsonObject } from '@hydra/core'
import type { HubBlock, HubMessage, HubTool } from '@hydra/core'
import { parseText, textOf } from '@hydra/inspector/summary'

type Fields = Readonly<Record<string, unknown>>

/** A conversation as the conventions of OpenTelemetry write it, in the form of the hub. */
export interface OtelConversation {
  readonly system: readonly string[]
  readonly messages: readonly HubMessage[]
  /** What was said in a form that is not known here, such as `a part of type x`. */
  readonly left: readonly string[]
}

/** Reads lists of messages; the ids of calls that have none are made up once for all of them. */
export class OtelReader {
  readonly #left = new Set<string>()
  /** The ids of calls that no result has named yet. */
  #open: string[] = []
  #madeUp = 0

  /** The messages of a request. */
  conversation(messages: readonly unknown[], instructions: readonly unknown[]): OtelConversation {
    const turns = messages.filter(isJsonObject)
    const system = [...instructions, ...turns.filter(isSystem).flatMap(partsOf)].flatMap((part) =>
      this.#textOf(part),
    )
    const said = turns.filter((turn) => !isSystem(turn)).map((turn) => this.#turn(turn))
    if (turns.length < messages.length) this.#left.add('a message that is none')
    return { system, messages: said.filter(({ content }) => content.length > 0), left: [...this.#left] }
  }

  /** The blocks of an answer. */
  answer(message: Fields): readonly HubBlock[] {
    return partsOf(message).flatMap((part) => this.#block(part))
  }

  /** What could not be read so far. */
  get left(): readonly string[] {
    return [...this.#left]
  }

  #turn(message: Fields): HubMessage & { readonly content: HubBlock[] } {
    const role = message['role'] === 'assistant' ? 'assistant' : 'user'
    return { role, content: partsOf(message).flatMap((part) => this.#block(part)) }
  }

  #textOf(part: unknown): string[] {
    const text = isJsonObject(part) ? textOf(part['content']) : textOf(part)
    if (text === undefined) this.#left.add('a system instruction without a text')
    return text === undefined ? [] : [text]
  }

  #block(part: unknown): HubBlock[] {
    if (!isJsonObject(part)) return this.#leave('a part that is none')
    const content = textOf(part['content'])
    switch (part['type']) {
      case 'text':
        return content === undefined
          ? this.#leave('a text without content')
          : [{ type: 'text', text: content }]
      case 'reasoning':
        return content === undefined
          ? this.#leave('reasoning without content')
          : [{ type: 'thinking', thinking: content, signature: '' }]
      case 'tool_call':
        return this.#call(part)
      case 'tool_call_response':
        return this.#result(part)
      case 'blob':
      case 'uri':
        return this.#picture(part)
      default:
        return this.#leave(`a part of type ${textOf(part['type']) ?? 'unknown'}`)
    }
  }

  #call(part: Fields): HubBlock[] {
    const name = textOf(part['name'])
    if (name === undefined) return this.#leave('a call without the name of a tool')
    const given = part['arguments']
    const input = typeof given === 'string' ? (parseText(given) ?? given) : given
    if (!isJsonObject(input) && input !== undefined && input !== null && input !== '') {
      return this.#leave(`a call of ${name} whose arguments are no JSON object`)
    }
    const id = textOf(part['id']) || `call_${(this.#madeUp += 1)}`
    this.#open.push(id)
    return [{ type: 'tool_use', id, name, input: isJsonObject(input) ? input : {} }]
  }

  #result(part: Fields): HubBlock[] {
    const id = textOf(part['id']) || this.#open[0]
    if (id === undefined) return this.#leave('a result without a call')
    this.#open = this.#open.filter((open) => open !== id)
    // Before version 1.37 it was called the result.
    const said = part['response'] ?? part['result'] ?? ''
    return [{ type: 'tool_result', tool_use_id: id, content: resultText(said) }]
  }

  #picture(part: Fields): HubBlock[] {
    const { mime_type: type, uri, content } = part
    const isImage = part['modality'] === 'image' || (textOf(type) ?? '').startsWith('image/')
    if (!isImage)
      return this.#leave(`a ${textOf(part['modality']) ?? 'file'} of type ${textOf(type) ?? 'unknown'}`)
    if (typeof uri === 'string') return [{ type: 'image', source: { type: 'url', url: uri } }]
    if (typeof content !== 'string') return this.#leave('a picture without its bytes')
    const media_type = (textOf(type) ?? 'image/png') as 'image/png'
    return [{ type: 'image', source: { type: 'base64', media_type, data: content } }]
  }

  #leave(what: string): [] {
    this.#left.add(what)
    return []
  }
}

function isSystem({ role }: Fields): boolean {
  return role === 'system' || role === 'developer'
}

/** The parts of a message; some instrumentations write one text in their place. */
function partsOf(message: Fields): readonly unknown[] {
  const { parts, content } = message
  if (Array.isArray(parts)) return parts
  return typeof content === 'string' ? [{ type: 'text', content }] : []
}

/** A result may be any value; blocks of text are what Hydra's own telemetry writes. */
function resultText(said: unknown): string {
  if (typeof said === 'string') return said
  const texts = Array.isArray(said)
    ? said.map((block: unknown) =>
        isJsonObject(block) && block['type'] === 'text' ? textOf(block['text']) : undefined,
      )
    : [undefined]
  return texts.every((text) => text !== undefined) ? texts.join('\n') : JSON.stringify(said)
}

/** The tools that a model was told of, and the names of those that are no functions of the client. */
export function toolsOf(definitions: readonly unknown[]): {
  tools: readonly HubTool[]
  left: readonly string[]
} {
  const tools: HubTool[] = []
  const left: string[] = []
  for (const definition of definitions) {
    const name = isJsonObject(definition) ? textOf(definition['name']) : undefined
    const schema = isJsonObject(definition)
      ? (definition['parameters'] ?? definition['input_schema'])
      : undefined
    if (!isJsonObject(definition) || name === undefined || (schema !== undefined && !isJsonObject(schema))) {
      left.push(`the tool ${name ?? 'without a name'}`)
      continue
    }
    const description = textOf(definition['description'])
    tools.push({
      name,
      ...(description !== undefined && { description }),
      input_schema: { type: 'object', ...schema },
    })
  }
  return { tools, left }
}
