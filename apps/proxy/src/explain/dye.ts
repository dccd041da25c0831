import { isJsonObject } from '@hydra/core'
import type { HubRequest } from '@hydra/core'
import { leavesOf, type PlainObject } from './json-leaves.ts'
import { piecesOf } from './pieces.ts'

/** A request in which each piece carries a mark that survives the translation. */
export interface DyedRequest {
  readonly request: HubRequest
  /** Where the pieces are in a translated body: JSON paths, by the place of a piece in `piecesOf`. */
  trace(body: unknown): ReadonlyMap<number, readonly string[]>
}

/**
 * Marks every piece of a request. The translation of the marked request has the same shape as that of the plain one,
 * and its marks tell which piece became what: no translator has to know that it is watched.
 */
export function dye(request: HubRequest): DyedRequest {
  const name = freeName(JSON.stringify(request))
  const numbers = new Map(piecesOf(request).map(({ path }, number) => [path, number]))
  const content = (value: unknown, path: string): unknown => {
    const mark = (index: number): string => `${name}${numbers.get(`${path}[${index}]`)}z`
    if (typeof value === 'string') return dyedText(value, mark(0))
    return Array.isArray(value) ? value.map((block, index) => dyedBlock(block, mark(index))) : value
  }
  const messages = request.messages.map((message, index) =>
    message.content === undefined
      ? message
      : { ...message, content: content(message.content, `messages[${index}].content`) },
  )
  const system = request.system === undefined ? {} : { system: content(request.system, 'system') }
  return {
    // Only words were added, so it is still what it was.
    request: { ...request, ...system, messages } as HubRequest,
    trace: (body) => traced(body, new RegExp(`${name}(\\d+)z`, 'g')),
  }
}

function traced(body: unknown, marks: RegExp): ReadonlyMap<number, readonly string[]> {
  const places = new Map<number, Set<string>>()
  for (const { path, text } of leavesOf(body)) {
    for (const [, found] of text.matchAll(marks)) {
      const number = Number(found)
      places.set(number, (places.get(number) ?? new Set()).add(path))
    }
  }
  return new Map([...places].map(([number, paths]) => [number, [...paths]]))
}

/** A word that the request does not hold. */
function freeName(json: string): string {
  let attempt = 0
  while (json.includes(`HydraDye${attempt}x`)) attempt += 1
  return `HydraDye${attempt}x`
}

type Dyer = (block: PlainObject, mark: string) => PlainObject

const DYERS: ReadonlyMap<string, Dyer> = new Map<string, Dyer>([
  ['text', field('text')],
  ['thinking', field('thinking')],
  ['redacted_thinking', field('data')],
  ['compaction', field('content')],
  ['image', source],
  ['document', source],
  ['search_result', inner],
  ['tool_use', input],
  ['server_tool_use', input],
  ['mcp_tool_use', input],
  ['tool_result', result],
])

function dyedBlock(block: unknown, mark: string): unknown {
  if (!isJsonObject(block)) return block
  return DYERS.get(String(block['type']))?.(block, mark) ?? block
}

/** What is blank is treated otherwise than what is not, so it stays blank. */
function dyedText(text: string, mark: string): string {
  return text.trim() === '' ? text : text + mark
}

function field(name: string): Dyer {
  return (block, mark) => {
    const value = block[name]
    return typeof value === 'string' ? { ...block, [name]: dyedText(value, mark) } : block
  }
}

function input(block: PlainObject, mark: string): PlainObject {
  const given = block['input'] ?? {}
  return isJsonObject(given) ? { ...block, input: { ...given, [mark]: mark } } : block
}

/** An empty result is a result still, and arrives as one. */
function result(block: PlainObject, mark: string): PlainObject {
  const { content = '' } = block
  if (typeof content === 'string') return { ...block, content: content + mark }
  return Array.isArray(content) && content.length > 0 ? inner(block, mark) : { ...block, content: mark }
}

function inner(block: PlainObject, mark: string): PlainObject {
  const { content } = block
  return Array.isArray(content) ? { ...block, content: content.map((part) => dyedBlock(part, mark)) } : block
}

const SOURCE_FIELDS = ['data', 'url', 'file_id'] as const

function source(block: PlainObject, mark: string): PlainObject {
  const from = block['source']
  if (!isJsonObject(from)) return block
  const name = SOURCE_FIELDS.find((key) => typeof from[key] === 'string')
  if (name !== undefined) return { ...block, source: { ...from, [name]: `${String(from[name])}${mark}` } }
  return { ...block, source: inner(from, mark) }
}
