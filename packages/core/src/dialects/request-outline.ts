import type { RoutedBlock, RoutedContent, RoutedMessage, RoutedParts } from './routed-parts.ts'

/** A JSON object of a request whose fields were not looked at yet. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * What routes look at in a request that our decoder refuses. A part whose form is not known here throws as soon as
 * it is looked at, because nothing certain can be said of it.
 */
export abstract class RequestOutline implements RoutedParts {
  readonly model: string
  protected readonly fields: Fields

  constructor(body: unknown, model?: string) {
    this.fields = certainObject(body, '')
    this.model = certainText(this.fields['model'] ?? model, 'model')
  }

  abstract get system(): RoutedParts['system']

  abstract get messages(): readonly RoutedMessage[]

  get stream(): boolean {
    return this.fields['stream'] === true
  }

  get max_tokens(): number | undefined {
    return largestOf(this.fields, OUTPUT_LIMITS)
  }

  get answers(): number | undefined {
    return largestOf(this.fields, ['n'])
  }

  get tools(): RoutedParts['tools'] {
    // Chat's older name for them has no counterpart in other dialects.
    const tools = this.fields['tools'] ?? this.fields['functions']
    return tools === undefined || tools === null ? undefined : certainList(tools, 'tools')
  }
}

/** What the dialects call the most tokens that an answer may have. */
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const

/** The largest of the amounts that a request has by these names: which of them its upstream goes by is not known. */
export function largestOf(fields: Fields, names: readonly string[]): number | undefined {
  const amounts = names.map((name) => Number(fields[name])).filter((amount) => amount > 0)
  return amounts.length === 0 ? undefined : Math.min(Math.max(...amounts), Number.MAX_SAFE_INTEGER)
}

/** How the messages of one dialect are read. */
interface MessageRules {
  /** The side that each role is on. */
  readonly sides: ReadonlyMap<unknown, string>
  readonly contentOf: (fields: Fields) => RoutedContent
}

/** A message of such a request: its parts throw one by one, each when it is looked at. */
export class MessageParts implements RoutedMessage {
  readonly #fields: Fields
  readonly #rules: MessageRules

  constructor(fields: Fields, rules: MessageRules) {
    this.#fields = fields
    this.#rules = rules
  }

  get role(): string {
    return certainSide(this.#fields['role'], this.#rules.sides, 'messages.role')
  }

  get content(): RoutedContent {
    return this.#rules.contentOf(this.#fields)
  }
}

/** Content of which it is certain what is text and what is an image. */
export function certainContent(
  content: unknown,
  blockOf: (fields: Fields, type: string) => RoutedBlock,
): RoutedContent {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  return certainList(content, 'content').map((value) => {
    const fields = certainObject(value, 'content')
    return blockOf(fields, certainText(fields['type'], 'content'))
  })
}

/** An object, or an error: nothing certain can be said of anything else. */
export function certainObject(value: unknown, path: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unclear(path)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked above
  return value as Fields
}

/** A list, or an error. */
export function certainList(value: unknown, path: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw unclear(path)
}

/** A text, or an error. */
export function certainText(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw unclear(path)
}

/** The side that a role is on, or an error: only what the user's side wrote may carry a marker. */
export function certainSide(role: unknown, sides: ReadonlyMap<unknown, string>, path: string): string {
  const side = sides.get(role)
  if (side === undefined) throw unclear(path)
  return side
}

/** Says that a part of a request has a form that is not known here. */
export function unclear(path: string): Error {
  return new Error(`${path}: not in a form that is known here`)
}
