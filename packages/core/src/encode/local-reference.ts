import { isJsonObject, type JsonObject } from '../json/json-object.ts'

/** References that lead to references end after this many. */
const MAX_HOPS = 16

/** What is defined counts where something refers to it. */
const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/** The schema in the same document that a reference leads to. */
export function localTarget(root: JsonObject, reference: unknown): JsonObject | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  let at: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    if (!isThere) return undefined
    at = (at as JsonObject)[name]
  }
  return isJsonObject(at) ? at : undefined
}

/**
 * A schema whose top is what it refers to: generators that are given a name for a schema write nothing but a reference
 * at the top, and upstreams want to see an object there.
 */
export function withoutTopReference(schema: JsonObject): JsonObject {
  let top = schema
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const target = localTarget(schema, top['$ref'])
    if (target === undefined) return top
    const { $ref: _followed, ...beside } = top
    top = { ...target, ...beside, ...bothProperties(target, beside) }
  }
  return top
}

function bothProperties(one: JsonObject, other: JsonObject): { properties?: JsonObject } {
  const { properties: first } = one
  const { properties: second } = other
  return isJsonObject(first) && isJsonObject(second) ? { properties: { ...first, ...second } } : {}
}

/** Whether a schema leads back to itself, through whatever it refers to. */
export function refersToItself(root: JsonObject): boolean {
  const followed = new Set<string>()
  return leadsBack(root, [])

  function leadsBack(schema: unknown, open: readonly string[]): boolean {
    if (Array.isArray(schema)) return schema.some((item) => leadsBack(item, open))
    if (!isJsonObject(schema)) return false
    const { $ref: reference } = schema
    if (typeof reference === 'string' && leadsOn(reference, open)) return true
    return Object.entries(schema).some(([key, inner]) => !DEFINITIONS.has(key) && leadsBack(inner, open))
  }

  function leadsOn(reference: string, open: readonly string[]): boolean {
    if (reference === '#' || open.includes(reference)) return true
    if (followed.has(reference)) return false
    followed.add(reference)
    return leadsBack(localTarget(root, reference), [...open, reference])
  }
}
