import { changeFields } from '../json/change-fields.ts'
import { isJsonObject, type JsonObject } from '../json/json-object.ts'
import { mapChanged } from '../json/map-changed.ts'
import type { SchemaRule } from '../profiles/profile.ts'
import type { Notes } from '../hub/note.ts'
import { localTarget, withoutTopReference } from './local-reference.ts'
import { modernSchema } from './modern-schema.ts'
import { wellFormed } from './words.ts'

const UNIONS = ['oneOf', 'anyOf', 'allOf'] as const
const REFUSED_AT_TOP = ['enum', 'const', 'not'] as const
/** Keywords under which names are the client's own and no keywords. */
const NAMES: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required', 'example'])

/** Keywords that nobody can be held to: OpenAI refuses them in a schema that is strict. */
const NOT_STRICT: ReadonlySet<string> = new Set(
  [
    ['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'default', 'uniqueItems', 'prefixItems', 'contains'],
    ['dependencies', 'dependentRequired', 'dependentSchemas', 'patternProperties', 'propertyNames'],
    ['minProperties', 'maxProperties', 'unevaluatedProperties', 'unevaluatedItems'],
  ].flat(),
)

/** Where a schema is, and what is done with it. */
interface SchemaContext {
  readonly rule: SchemaRule
  readonly path: string
  readonly notes: Notes
}

/** The schema of a tool's input as the upstream accepts it; one that needs no change is passed on as it is. */
export function encodeSchema(schema: JsonObject, context: SchemaContext): JsonObject {
  const clean = cleanSchema(withoutTopReference(modernSchema(schema)), context) as JsonObject
  const flat = context.rule.flattensTop ? flattenTop(clean, context) : clean
  if (flat['type'] === 'object' && isJsonObject(flat['properties'])) return flat
  if (flat['type'] !== undefined && !hasType(flat, 'object')) {
    context.notes.add('schema_type_changed', context.path, 'the input of a tool is always an object')
  }
  const properties = isJsonObject(flat['properties']) ? flat['properties'] : {}
  return { ...flat, type: 'object', properties }
}

/** The schema of an answer as the upstream accepts it: its top may be of any form. */
export function encodeOutputSchema(schema: JsonObject, context: SchemaContext): JsonObject {
  return cleanSchema(modernSchema(schema), context) as JsonObject
}

/** Whether a schema lies in the subset that upstreams can enforce: everything required, nothing additional. */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema)
  if (!isJsonObject(schema)) return true
  if (hasType(schema, 'object') && !isClosedObject(schema)) return false
  return Object.entries(schema).every(([key, value]) => {
    if (NOT_STRICT.has(key)) return false
    if (DATA.has(key)) return true
    return isStrictSchema(NAMES.has(key) && isJsonObject(value) ? Object.values(value) : value)
  })
}

function hasType({ type }: JsonObject, wanted: string): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted))
}

function isClosedObject(schema: JsonObject): boolean {
  const { required } = schema
  if (schema['additionalProperties'] !== false || !isJsonObject(schema['properties'])) return false
  return Array.isArray(required) && Object.keys(schema['properties']).every((name) => required.includes(name))
}

/** Whether all that fits a schema is an object: upstreams can be held to nothing else. */
export function isObjectSchema(schema: JsonObject): boolean {
  const top = withoutTopReference(schema)
  return top['type'] === 'object' && [...UNIONS, ...REFUSED_AT_TOP].every((key) => top[key] === undefined)
}

/** Removes refused keywords and completes arrays, copying only what changes. */
function cleanSchema(schema: unknown, context: SchemaContext): unknown {
  if (typeof schema === 'string') return wellFormed(schema, context.path, context)
  if (Array.isArray(schema)) return mapChanged(schema, (item) => cleanSchema(item, context))
  if (!isJsonObject(schema)) return schema
  const clean = changeFields(schema, cleanKeyword, context)
  return hasType(clean, 'array') && clean['items'] === undefined ? { ...clean, items: {} } : clean
}

function cleanKeyword(key: string, item: unknown, context: SchemaContext): unknown {
  if (context.rule.refusedKeywords.includes(key)) {
    const { notes, path } = context
    // '$schema' only names the language of the schema: nothing is lost with it.
    if (key !== '$schema')
      notes.add('schema_keyword_dropped', `${path}..${key}`, `this upstream refuses '${key}'`)
    return undefined
  }
  if (typeof item === 'string') return wellFormed(item, context.path, context)
  if (typeof item !== 'object' || DATA.has(key)) return item
  if (!NAMES.has(key) || !isJsonObject(item)) return cleanSchema(item, context)
  return changeFields(item, cleanNamed, context)
}

function cleanNamed(_name: string, schema: unknown, context: SchemaContext): unknown {
  return cleanSchema(schema, context)
}

/** Merges the variants at the top into one object: wider than before, but accepted. */
function flattenTop(schema: JsonObject, { path, notes }: SchemaContext): JsonObject {
  const refused = [...UNIONS, ...REFUSED_AT_TOP].filter((key) => schema[key] !== undefined)
  if (refused.length === 0) return schema
  notes.add(
    'schema_flattened',
    path,
    `${refused.join(', ')} at the top of a schema: its variants were merged`,
  )
  const flat: Record<string, unknown> = { ...schema }
  for (const key of refused) delete flat[key]
  flat['properties'] = mergedProperties(schema)
  const required = mergedRequired(schema)
  if (required.length > 0) flat['required'] = required
  else delete flat['required']
  return flat
}

function variantsOf(schema: JsonObject, key: string): readonly JsonObject[] {
  const variants = schema[key]
  if (!Array.isArray(variants)) return []
  return variants.filter(isJsonObject).map((variant) => localTarget(schema, variant['$ref']) ?? variant)
}

function mergedProperties(schema: JsonObject): JsonObject {
  const all = UNIONS.flatMap((key) => variantsOf(schema, key)).map((variant) => variant['properties'])
  return Object.assign({}, ...all.filter(isJsonObject), schema['properties']) as JsonObject
}

/** Required is what every variant requires; all parts of an `allOf` count. */
function mergedRequired(schema: JsonObject): string[] {
  const own = requiredOf(schema)
  const together = variantsOf(schema, 'allOf').flatMap(requiredOf)
  const inEach = (['oneOf', 'anyOf'] as const).flatMap((key) => {
    const [first, ...others] = variantsOf(schema, key).map(requiredOf)
    return (first ?? []).filter((name) => others.every((names) => names.includes(name)))
  })
  return [...new Set([...own, ...together, ...inEach])]
}

function requiredOf(schema: JsonObject): string[] {
  const { required } = schema
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}
