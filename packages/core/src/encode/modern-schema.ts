import { changeFields } from '../json/change-fields.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { mapChanged } from '../json/map-changed.ts'

/** Keywords under which names are the client's own and no keywords. */
const NAMES: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'patternProperties',
  'dependentSchemas',
])
/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example'])

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const

/**
 * A schema in the words of draft 2020-12, by which upstreams check it: older generators write tuples, open bounds and
 * what is required in other ways. The same schema where it has none of them.
 */
export function modernSchema(schema: JsonObject): JsonObject {
  const inner = changeFields(schema, modernKeyword, undefined)
  return withBounds(withTuple(inner))
}

function modernKeyword(key: string, value: unknown): unknown {
  // Draft 3 said it at the property itself.
  if (key === 'required' && !Array.isArray(value)) return undefined
  if (typeof value !== 'object' || DATA.has(key)) return value
  return NAMES.has(key) && isJsonObject(value)
    ? changeFields(value, modernNamed, undefined)
    : modernValue(value)
}

function modernNamed(_name: string, value: unknown): unknown {
  return modernValue(value)
}

function modernValue(value: unknown): unknown {
  if (Array.isArray(value)) return mapChanged(value, modernValue)
  return isJsonObject(value) ? modernSchema(value) : value
}

/** A list of items is a tuple, and what may follow it is the items. */
function withTuple(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema['items'])) return schema
  const { items: prefixItems, additionalItems: rest, ...others } = schema
  // A tuple that nothing may follow says so by its length as well, and not every upstream takes `false` here.
  return { ...others, prefixItems, ...(isJsonObject(rest) && { items: rest }) }
}

/** That a bound itself is excluded was a switch beside it. */
function withBounds(schema: JsonObject): JsonObject {
  if (BOUNDS.every(([open]) => typeof schema[open] !== 'boolean')) return schema
  const modern: Record<string, unknown> = { ...schema }
  for (const [open, bound] of BOUNDS) {
    const isOpen = schema[open]
    if (typeof isOpen !== 'boolean') continue
    delete modern[open]
    if (!isOpen || typeof schema[bound] !== 'number') continue
    modern[open] = schema[bound]
    delete modern[bound]
  }
  return modern
}
