import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { expectShallowObject } from '../../json/expect.ts'
import { camelOf } from './spelling.ts'

/** The types of Google's own schemas by number: generated clients send them that way. */
const TYPES: readonly string[] = ['', 'string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** How generated clients say that a schema has no type. */
const UNSPECIFIED: ReadonlySet<unknown> = new Set([0, 'TYPE_UNSPECIFIED'])

/** Counts, which the JSON form of 64-bit numbers has as strings. */
const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
])

/** What means nothing outside of Google's schemas. */
const OWN_KEYWORDS: ReadonlySet<string> = new Set([
  'propertyOrdering',
  'property_ordering',
  'example',
  'nullable',
])

/** Keywords whose values are schemas under names that are the client's own. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Keywords whose values are schemas or lists of them. */
const NESTED: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'additionalProperties',
])

/**
 * A JSON schema of one of Google's, or of what is called a JSON schema and has types in capitals all the same, as
 * Gemini CLI's has.
 */
export function decodeSchema(value: unknown, path: string): JsonObject {
  return schemaOf(expectShallowObject(value, path))
}

function anySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(anySchema)
  return isJsonObject(value) ? schemaOf(value) : value
}

function schemaOf(schema: JsonObject): JsonObject {
  const clean: Record<string, unknown> = {}
  for (const name of Object.keys(schema)) {
    const value = schema[name]
    if (OWN_KEYWORDS.has(name) || (name === 'format' && value === 'enum')) continue
    const key = camelOf(name)
    if (key === 'type' && UNSPECIFIED.has(value)) continue
    clean[key] = keywordOf(key, value)
  }
  if (schema['nullable'] !== true || typeof clean['type'] !== 'string') return clean
  const { enum: values } = clean
  return {
    ...clean,
    type: [clean['type'], 'null'],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...(values as unknown[]), null] }),
  }
}

function keywordOf(key: string, value: unknown): unknown {
  if (key === 'type') return Array.isArray(value) ? value.map(typeOf) : typeOf(value)
  if (COUNTS.has(key) && typeof value === 'string') return Number(value)
  if (NESTED.has(key)) return anySchema(value)
  if (!NAMED.has(key) || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, anySchema(inner)]))
}

function typeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  return typeof value === 'number' ? (TYPES[value] ?? value) : value
}
