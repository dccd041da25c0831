import { refersToItself } from '../../encode/local-reference.ts'
import type { Notes } from '../../hub/note.ts'
import { changeFields } from '../../json/change-fields.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { mapChanged } from '../../json/map-changed.ts'

/** Keywords under which names are the client's own and no keywords. */
const NAMES: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
/** Keywords whose values are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** The forms of strings that Anthropic knows. */
const FORMATS: ReadonlySet<unknown> = new Set(
  [
    ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri'],
    ['ipv4', 'ipv6', 'uuid'],
  ].flat(),
)

interface SchemaPlace {
  readonly path: string
  readonly notes: Notes
}

/** A schema that Anthropic can hold an answer to: every object in it is closed. */
export function enforcedSchema(schema: unknown, place: SchemaPlace): unknown {
  if (Array.isArray(schema)) return mapChanged(schema, (item) => enforcedSchema(item, place))
  if (!isJsonObject(schema)) return schema
  const inner = withAnyOf(changeFields(schema, enforcedKeyword, place))
  if (!isObjectType(inner) || inner['additionalProperties'] === false) return inner
  place.notes.addOnce(
    'schema_closed',
    place.path,
    'objects in the schema of an answer have no other properties',
  )
  return { ...inner, additionalProperties: false }
}

function enforcedKeyword(key: string, value: unknown, place: SchemaPlace): unknown {
  if (!isTaken(key, value)) {
    const message = `${JSON.stringify(value)} is none that the model can be held to`
    place.notes.add('schema_keyword_dropped', `${place.path}..${key}`, message)
    return undefined
  }
  if (DATA.has(key)) return value
  return NAMES.has(key) && isJsonObject(value)
    ? changeFields(value, enforcedNamed, place)
    : enforcedSchema(value, place)
}

function enforcedNamed(_name: string, schema: unknown, place: SchemaPlace): unknown {
  return enforcedSchema(schema, place)
}

/** Anthropic knows one word for a choice. */
function withAnyOf(schema: JsonObject): JsonObject {
  if (schema['oneOf'] === undefined || schema['anyOf'] !== undefined) return schema
  const { oneOf, ...rest } = schema
  return { ...rest, anyOf: oneOf }
}

function isTaken(key: string, value: unknown): boolean {
  if (key === 'minItems') return value === 0 || value === 1
  return key !== 'format' || FORMATS.has(value)
}

function isObjectType({ type }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'))
}

/** Whether the calls of a tool can be held to its schema as it is; a tool whose schema cannot must not be strict. */
export function isEnforceable(schema: JsonObject, refused: readonly string[]): boolean {
  return !refersToItself(schema) && isHeld(schema, refused)
}

function isHeld(schema: unknown, refused: readonly string[]): boolean {
  if (Array.isArray(schema)) return schema.every((item) => isHeld(item, refused))
  if (!isJsonObject(schema)) return true
  if (isObjectType(schema) && schema['additionalProperties'] !== false) return false
  return Object.entries(schema).every(([key, value]) => {
    if (key === 'oneOf' || refused.includes(key) || !isTaken(key, value)) return false
    if (DATA.has(key)) return true
    return isHeld(NAMES.has(key) && isJsonObject(value) ? Object.values(value) : value, refused)
  })
}
