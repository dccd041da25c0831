import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import type { ClientDialect } from '../dialect.ts'
import { largestOf } from '../request-outline.ts'
import type { RoutedBlock, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a request of Google's form that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body, params }) =>
  new RequestOutline(body, params['model'] ?? '')

/**
 * What routes look at in a request that our decoder refuses. A part whose form is not known here throws as soon as
 * it is looked at, because nothing certain can be said of it.
 */
class RequestOutline implements RoutedParts {
  readonly model: string
  readonly #fields: JsonObject

  constructor(value: unknown, model: string) {
    this.#fields = objectOf(value, '')
    if (model === '') throw unclear('model')
    this.model = model
  }

  get system(): RoutedParts['system'] {
    const value = this.#fields['systemInstruction'] ?? this.#fields['system_instruction']
    if (value === undefined || value === null) return undefined
    if (typeof value === 'string') return value
    return blocksOf(objectOf(value, 'systemInstruction')).flatMap(({ text }) =>
      text === undefined ? [] : { type: 'text' as const, text },
    )
  }

  get max_tokens(): number | undefined {
    return largestOf(this.#config, ['maxOutputTokens', 'max_output_tokens'])
  }

  get answers(): number | undefined {
    return largestOf(this.#config, ['candidateCount', 'candidate_count'])
  }

  get #config(): JsonObject {
    const config = this.#fields['generationConfig'] ?? this.#fields['generation_config']
    return isJsonObject(config) ? config : {}
  }

  get tools(): RoutedParts['tools'] {
    const { tools } = this.#fields
    if (tools === undefined || tools === null) return undefined
    return Array.isArray(tools) ? tools : [tools]
  }

  get messages(): readonly RoutedMessage[] {
    const { contents } = this.#fields
    const list = Array.isArray(contents) ? contents : [contents]
    return list.map((value) => {
      const content = objectOf(value, 'contents')
      return { role: roleOf(content), content: blocksOf(content) }
    })
  }
}

const ROLES: ReadonlyMap<unknown, string> = new Map([
  [undefined, 'user'],
  ['', 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['model', 'assistant'],
])

function roleOf({ role }: JsonObject): string {
  const known = ROLES.get(typeof role === 'string' ? role.toLowerCase() : role)
  // Nobody knows on whose side another one is, and only what the user's side wrote may carry a marker.
  if (known === undefined) throw unclear('contents.role')
  return known
}

/** Parts of which it is certain what is text and what is an image. */
function blocksOf({ parts = [] }: JsonObject): RoutedBlock[] {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [parts]
  return list.map((value): RoutedBlock => {
    const part = objectOf(value, 'parts')
    if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
    const data = part['inlineData'] ?? part['inline_data'] ?? part['fileData'] ?? part['file_data']
    const type = isJsonObject(data) ? String(data['mimeType'] ?? data['mime_type']) : ''
    if (type.startsWith('image/')) return { type: 'image' }
    const result = part['functionResponse'] ?? part['function_response']
    if (result !== undefined) return { type: 'tool_result', content: JSON.stringify(result) }
    return { type: Object.keys(part)[0] ?? 'empty' }
  })
}

function objectOf(value: unknown, path: string): JsonObject {
  if (isJsonObject(value)) return value
  throw unclear(path)
}

function unclear(path: string): Error {
  return new Error(`${path}: not in a form that is known here`)
}
