import type { ClientDialect } from '../dialect.ts'
import type { RoutedContent, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Messages request that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body }) => new RequestOutline(body)

type Fields = Readonly<Record<string, unknown>>

/**
 * What routes look at in a request that our decoder refuses. A part whose form is not known here throws as soon as
 * it is looked at, because nothing certain can be said of it.
 */
class RequestOutline implements RoutedParts {
  readonly model: string
  readonly #fields: Fields

  constructor(value: unknown) {
    this.#fields = objectOf(value, '')
    this.model = textOf(this.#fields['model'], 'model')
  }

  get system(): RoutedParts['system'] {
    const { system } = this.#fields
    if (system === undefined || system === null) return undefined
    if (typeof system === 'string') return system
    return listOf(system, 'system').map((block) => {
      const { type, text } = objectOf(block, 'system')
      if (type !== 'text') throw unclear('system')
      return { type, text: textOf(text, 'system') }
    })
  }

  get stream(): boolean {
    return this.#fields['stream'] === true
  }

  get tools(): RoutedParts['tools'] {
    const { tools } = this.#fields
    return tools === undefined || tools === null ? undefined : listOf(tools, 'tools')
  }

  get messages(): readonly RoutedMessage[] {
    return listOf(this.#fields['messages'], 'messages').map((message) => new MessageParts(message))
  }
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system'])

class MessageParts implements RoutedMessage {
  readonly #fields: Fields

  constructor(value: unknown) {
    this.#fields = objectOf(value, 'messages')
  }

  get role(): string {
    const { role } = this.#fields
    // Nobody knows on whose side another one is, and only what the user's side wrote may carry a marker.
    if (!ROLES.has(role)) throw unclear('messages.role')
    return textOf(role, 'messages.role')
  }

  get content(): RoutedContent {
    return contentOf(this.#fields['content'])
  }
}

/** Content of which it is certain what is text and what is an image. */
function contentOf(content: unknown): RoutedContent {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return listOf(content, 'content').map((value) => {
    const block = objectOf(value, 'content')
    const type = textOf(block['type'], 'content')
    if (type === 'text') return { type, text: textOf(block['text'], 'content') }
    return type === 'tool_result' ? { type, content: contentOf(block['content']) } : { type }
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
