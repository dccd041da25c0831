import type { ClientDialect } from '../dialect.ts'
import type { RoutedContent, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Responses request that is not understood. */
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
    const { instructions } = this.#fields
    return instructions === undefined || instructions === null
      ? undefined
      : textOf(instructions, 'instructions')
  }

  get stream(): boolean {
    return this.#fields['stream'] === true
  }

  get tools(): RoutedParts['tools'] {
    const { tools } = this.#fields
    return tools === undefined || tools === null ? undefined : listOf(tools, 'tools')
  }

  get messages(): readonly RoutedMessage[] {
    const { input } = this.#fields
    if (input === undefined || input === null) return []
    if (typeof input === 'string') return [{ role: 'user', content: input }]
    return listOf(input, 'input').flatMap((item) => messageOf(objectOf(item, 'input')))
  }
}

const ROLES: Readonly<Record<string, string>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
}

/** A message, or what a tool gave back; other items hold nothing that routes look at. */
function messageOf(item: Fields): RoutedMessage[] {
  const { role, type, content, output } = item
  if (role !== undefined && (type === undefined || type === 'message')) {
    const known = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined
    // Nobody knows on whose side another one is, and only what the user's side wrote may carry a marker.
    if (known === undefined) throw unclear('input.role')
    return [{ role: known, content: contentOf(content) }]
  }
  if (typeof type !== 'string' || !type.endsWith('_output')) return []
  const result = typeof output === 'string' || Array.isArray(output) ? contentOf(output) : ''
  return [{ role: 'user', content: [{ type: 'tool_result', content: result }] }]
}

/** Content of which it is certain what is text and what is an image. */
function contentOf(content: unknown): RoutedContent {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return listOf(content, 'content').map((value) => {
    const part = objectOf(value, 'content')
    const type = textOf(part['type'], 'content')
    if (type === 'input_image') return { type: 'image' }
    return typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : { type }
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
