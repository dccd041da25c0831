import { withoutTopReference } from '../../encode/local-reference.ts'
import { modernSchema } from '../../encode/modern-schema.ts'
import { wellFormed } from '../../encode/words.ts'
import type { Notes } from '../../hub/note.ts'
import { changeFields } from '../../json/change-fields.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'
import { MAX_JSON_DEPTH } from '../../json/measure.ts'
import { withField } from '../../json/with-field.ts'
import { ANNOTATIONS, References } from './schema-references.ts'

/** The keywords that Gemini evaluates in a JSON schema. */
const EVALUATED: ReadonlySet<string> = new Set([
  '$id',
  '$defs',
  '$ref',
  '$anchor',
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'oneOf',
  'properties',
  'additionalProperties',
  'required',
  'propertyOrdering',
  'default',
])

/** Keywords whose values are schemas under names that are the client's own. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs'])
/** Keywords whose values are schemas or lists of schemas. */
const NESTED: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'additionalProperties',
])

/** Where a schema is. */
interface SchemaPlace {
  readonly path: string
  readonly notes: Notes
}

interface SchemaContext extends SchemaPlace {
  readonly references: References
}

/** The schema of a function's parameters: always an object. */
export function encodeSchema(schema: JsonObject, place: SchemaPlace): JsonObject {
  const clean = withoutReference(cleanTop(withoutTopReference(schema), place), place)
  if (isObjectType(clean['type']) && isJsonObject(clean['properties']))
    return withField(clean, 'type', 'object')
  if (clean['type'] !== undefined && !isObjectType(clean['type'])) {
    place.notes.add('schema_type_changed', place.path, 'the input of a tool is always an object')
  }
  const properties = isJsonObject(clean['properties']) ? clean['properties'] : {}
  return { ...clean, type: 'object', properties }
}

/** A reference at the top that leads nowhere. */
function withoutReference(schema: JsonObject, place: SchemaPlace): JsonObject {
  if (schema['$ref'] !== undefined) noteKeyword('$ref', place)
  return withField(schema, '$ref', undefined)
}

/** The schema of an answer: its top may be of any form. */
export function encodeOutputSchema(schema: JsonObject, place: SchemaPlace): JsonObject {
  return cleanTop(schema, place)
}

function cleanTop(given: JsonObject, place: SchemaPlace): JsonObject {
  const schema = modernSchema(given)
  return cleanObject(schema, { ...place, references: new References(schema) })
}

function isObjectType(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

function cleanSchema(schema: unknown, context: SchemaContext): unknown {
  if (typeof schema === 'string') return wellFormed(schema, context.path, context)
  if (Array.isArray(schema)) return mapChanged(schema, (item) => cleanSchema(item, context))
  return isJsonObject(schema) ? cleanObject(schema, context) : schema
}

function cleanObject(schema: JsonObject, context: SchemaContext): JsonObject {
  const opened = context.references.open(schema)
  if (opened !== undefined)
    return cleanObject(mergeAll(opened.schema), { ...context, references: opened.inside })
  const widened = widen(schema)
  if (typeof widened['$ref'] === 'string') return cleanReference(widened, context)
  const clean = changeFields(widened, cleanKeyword, context)
  const hasItems = clean['items'] !== undefined || clean['prefixItems'] !== undefined
  return clean['type'] === 'array' && !hasItems ? { ...clean, items: {} } : clean
}

function cleanKeyword(key: string, value: unknown, context: SchemaContext): unknown {
  if (!EVALUATED.has(key)) {
    if (!ANNOTATIONS.has(key)) noteKeyword(key, context)
    return undefined
  }
  if (NESTED.has(key)) return cleanSchema(value, context)
  if (typeof value === 'string') return wellFormed(value, context.path, context)
  return NAMED.has(key) && isJsonObject(value) ? changeFields(value, cleanNamed, context) : value
}

function cleanNamed(_name: string, schema: unknown, context: SchemaContext): unknown {
  return cleanSchema(schema, context)
}

/** Only definitions are allowed beside a reference. */
function cleanReference(schema: JsonObject, context: SchemaContext): JsonObject {
  const clean: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref') clean[key] = String(value).replace(/^#\/definitions\//, '#/$defs/')
    else if (key.startsWith('$') && EVALUATED.has(key)) clean[key] = cleanKeyword(key, value, context)
    else if (!ANNOTATIONS.has(key)) noteKeyword(key, context)
  }
  return clean
}

/** Keywords that Gemini has other words for. */
const WIDENED: ReadonlySet<string> = new Set([
  'allOf',
  'definitions',
  'const',
  'exclusiveMinimum',
  'exclusiveMaximum',
])

/** Says the same with keywords that Gemini evaluates, where that is possible. */
function widen(schema: JsonObject): JsonObject {
  if (!needsWidening(schema)) return schema
  const merged = Array.isArray(schema['allOf']) ? mergeAll(schema) : schema
  const { definitions, const: only, exclusiveMinimum, exclusiveMaximum, ...rest } = merged
  const wide: Record<string, unknown> = { ...rest }
  if (definitions !== undefined) wide['$defs'] ??= definitions
  if (only !== undefined) wide['enum'] ??= [only]
  if (typeof exclusiveMinimum === 'number') wide['minimum'] ??= above(exclusiveMinimum, merged)
  if (typeof exclusiveMaximum === 'number') wide['maximum'] ??= below(exclusiveMaximum, merged)
  return wide
}

function needsWidening(schema: JsonObject): boolean {
  for (const key in schema) if (WIDENED.has(key)) return true
  return false
}

function above(limit: number, { type }: JsonObject): number {
  return type === 'integer' ? Math.floor(limit) + 1 : limit
}

function below(limit: number, { type }: JsonObject): number {
  return type === 'integer' ? Math.ceil(limit) - 1 : limit
}

/** All parts of an `allOf` hold at once: their properties and requirements add up. */
function mergeAll(schema: JsonObject, depth = 0): JsonObject {
  const { allOf, ...own } = schema
  if (depth > MAX_JSON_DEPTH) return own
  const parts = (Array.isArray(allOf) ? allOf : []).filter(isJsonObject)
  const merged: Record<string, unknown> = {}
  for (const part of [...parts.map((inner) => mergeAll(inner, depth + 1)), own]) {
    Object.assign(merged, part, added(merged, part))
  }
  return merged
}

function added(one: JsonObject, other: JsonObject): JsonObject {
  const sum: Record<string, unknown> = {}
  if (isJsonObject(one['properties']) || isJsonObject(other['properties'])) {
    sum['properties'] = { ...objectOf(one['properties']), ...objectOf(other['properties']) }
  }
  const required = [...listOf(one['required']), ...listOf(other['required'])]
  if (required.length > 0) sum['required'] = [...new Set(required)]
  return sum
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function noteKeyword(key: string, { notes, path }: SchemaPlace): void {
  notes.add('schema_keyword_dropped', `${path}..${key}`, `this upstream does not evaluate '${key}'`)
}
