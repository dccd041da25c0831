import type { ClientDialect } from '../dialect.ts'
import type { RoutedBlock, RoutedContent, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Chat request that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body, params }) =>
  new RequestOutline(body, params)

type Fields = Readonly<Record<string, unknown>>

/**
 * What routes look at in a request that our decoder refuses. A part whose form is not known here throws as soon as
 * it is looked at, because nothing certain can be said of it.
 */
class RequestOutline implements RoutedParts {
  readonly model: string
  readonly #fields: Fields

  constructor(value: unknown, params: Readonly<Record<string, string>>) {
    this.#fields = objectOf(value, '')
    this.model = textOf(this.#fields['model'] ?? params['model'], 'model')
  }

  /** System prompts are messages here. */
  get system(): RoutedParts['system'] {
    const texts = this.#all.filter(isSystem).flatMap((message) => {
      const content = contentOf(message['content'])
      if (typeof content === 'string') return { type: 'text' as const, text: content }
      return content.flatMap(({ text }) => (text === undefined ? [] : { type: 'text' as const, text }))
    })
    return texts.length === 0 ? undefined : texts
  }

  get stream(): boolean {
    return this.#fields['stream'] === true
  }

  get tools(): RoutedParts['tools'] {
    const tools = this.#fields['tools'] ?? this.#fields['functions']
    return tools === undefined || tools === null ? undefined : listOf(tools, 'tools')
  }

  get messages(): readonly RoutedMessage[] {
    return this.#all.filter((message) => !isSystem(message)).map((message) => new MessageParts(message))
  }

  get #all(): readonly Fields[] {
    return listOf(this.#fields['messages'], 'messages').map((message) => objectOf(message, 'messages'))
  }
}

function isSystem({ role }: Fields): boolean {
  return role === 'system' || role === 'developer'
}

/** Whose side a role is on: results of calls come with the user's turns. */
const SIDES: ReadonlyMap<unknown, string> = new Map([
  ['user', 'user'],
  ['tool', 'user'],
  ['function', 'user'],
  ['assistant', 'assistant'],
])

class MessageParts implements RoutedMessage {
  readonly #fields: Fields

  constructor(fields: Fields) {
    this.#fields = fields
  }

  get role(): string {
    const side = SIDES.get(this.#fields['role'])
    // Nobody knows on whose side another one is, and only what the user's side wrote may carry a marker.
    if (side === undefined) throw unclear('messages.role')
    return side
  }

  get content(): RoutedContent {
    const { role } = this.#fields
    const content = contentOf(this.#fields['content'])
    return role === 'tool' || role === 'function' ? [{ type: 'tool_result', content }] : content
  }
}

/** Content of which it is certain what is text and what is an image. */
function contentOf(content: unknown): RoutedContent {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return listOf(content, 'content').map((value): RoutedBlock => {
    const part = objectOf(value, 'content')
    const type = textOf(part['type'], 'content')
    if (type === 'text') return { type, text: textOf(part['text'], 'content') }
    return { type: type === 'image_url' ? 'image' : type }
  })
}

function objectOf(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unclear(path)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  return value as Fields
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw unclear(path)
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw unclear(path)
}

function unclear(path: string): Error {
  return new Error(`${path}: not in a form that is known here`)
}
