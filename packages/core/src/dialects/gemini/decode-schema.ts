import { changeFields } from '../../json/change-fields.ts'
import { expectShallowObject } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'
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
const OWN_KEYWORDS: ReadonlySet<string> = new Set(['propertyOrdering', 'example', 'nullable'])

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
  if (Array.isArray(value)) return mapChanged(value, anySchema)
  return isJsonObject(value) ? schemaOf(value) : value
}

/** Most schemas are JSON schemas already: what needs no change is passed on as it is. */
function schemaOf(schema: JsonObject): JsonObject {
  const clean = changeFields(inCamelCase(schema), keywordOf, undefined)
  if (schema['nullable'] !== true || typeof clean['type'] !== 'string') return clean
  const { enum: values } = clean
  return {
    ...clean,
    type: [clean['type'], 'null'],
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...(values as unknown[]), null] }),
  }
}

function inCamelCase(schema: JsonObject): JsonObject {
  for (const name in schema) if (name.includes('_')) return renamed(schema)
  return schema
}

function renamed(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [camelOf(name), value]))
}

function keywordOf(key: string, value: unknown): unknown {
  if (OWN_KEYWORDS.has(key) || (key === 'format' && value === 'enum')) return undefined
  if (key === 'type') {
    if (UNSPECIFIED.has(value)) return undefined
    return Array.isArray(value) ? mapChanged(value, typeOf) : typeOf(value)
  }
  if (COUNTS.has(key) && typeof value === 'string') return Number(value)
  if (NESTED.has(key)) return anySchema(value)
  return NAMED.has(key) && isJsonObject(value) ? changeFields(value, namedSchema, undefined) : value
}

function namedSchema(_name: string, value: unknown): unknown {
  return anySchema(value)
}

function typeOf(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase()
  return typeof value === 'number' ? (TYPES[value] ?? value) : value
}
