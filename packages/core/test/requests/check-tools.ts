import { isJsonObject, type JsonObject } from '../../src/json/json-object.ts'
import type { UpstreamLimits } from './upstream-limits.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MAX_TOOLS = 128
const REFUSED_AT_TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not']
/** Keywords whose values hold schemas under names of the client's own. */
const NAMED = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
/** Keywords whose values are no schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** Whether a function may have this name. */
export function isToolName(name: unknown): boolean {
  return typeof name === 'string' && NAME.test(name)
}

/** What is wrong with the tools of a body and with the choice among them. */
export function toolFaults(body: JsonObject, limits: UpstreamLimits): string[] {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = body
  if (tools === undefined) {
    const stray = { tool_choice: choice, parallel_tool_calls: parallel }
    return Object.entries(stray).flatMap(([key, value]) =>
      value === undefined ? [] : `${key} without tools`,
    )
  }
  if (!Array.isArray(tools) || tools.length === 0) return ['tools: expected a non-empty array']
  const names = tools.map((tool: unknown) => (isJsonObject(tool) ? functionOf(tool)['name'] : undefined))
  return [
    ...(tools.length > MAX_TOOLS ? [`tools: more than ${MAX_TOOLS}`] : []),
    ...(new Set(names).size < names.length ? ['tools: a name occurs twice'] : []),
    ...tools.flatMap((tool: unknown, index) => oneToolFaults(tool, `tools[${index}]`, limits)),
    ...choiceFaults(choice, names, limits),
    ...(parallel === undefined || typeof parallel === 'boolean' ? [] : ['parallel_tool_calls: no boolean']),
  ]
}

function functionOf(tool: JsonObject): JsonObject {
  return isJsonObject(tool['function']) ? tool['function'] : {}
}

function oneToolFaults(tool: unknown, path: string, limits: UpstreamLimits): string[] {
  if (!isJsonObject(tool) || tool['type'] !== 'function') return [`${path}: no function`]
  const { name, description, parameters, strict } = functionOf(tool)
  const known = limits.takesStrictTools
    ? ['name', 'description', 'parameters', 'strict']
    : ['name', 'description', 'parameters']
  return [
    ...unknownKeys(tool, ['type', 'function'], path),
    ...unknownKeys(functionOf(tool), known, `${path}.function`),
    ...(isToolName(name) ? [] : [`${path}: the name ${JSON.stringify(name)}`]),
    ...(description === undefined || typeof description === 'string' ? [] : [`${path}: the description`]),
    ...parameterFaults(parameters, `${path}.parameters`, limits),
    ...(strict === true && !isClosed(parameters) ? [`${path}: strict with an open schema`] : []),
  ]
}

/** The keys of an object that are not among those known. */
export function unknownKeys(object: JsonObject, known: readonly string[], path: string): string[] {
  return Object.keys(object).flatMap((key) => (known.includes(key) ? [] : `${path}: unknown field ${key}`))
}

function parameterFaults(schema: unknown, path: string, limits: UpstreamLimits): string[] {
  if (!isJsonObject(schema)) return [`${path}: no schema`]
  return [
    ...(schema['type'] === 'object' ? [] : [`${path}.type: not object`]),
    ...(isJsonObject(schema['properties']) ? [] : [`${path}.properties: missing`]),
    ...REFUSED_AT_TOP.flatMap((key) => (schema[key] === undefined ? [] : `${path}: ${key} at the top`)),
    ...schemaFaults(schema, path, limits),
  ]
}

function schemaFaults(schema: unknown, path: string, limits: UpstreamLimits): string[] {
  if (Array.isArray(schema))
    return schema.flatMap((item, index) => schemaFaults(item, `${path}[${index}]`, limits))
  if (!isJsonObject(schema)) return []
  const isArray = [schema['type']].flat().includes('array')
  const faults = isArray && schema['items'] === undefined ? [`${path}: an array without items`] : []
  for (const [key, value] of Object.entries(schema)) {
    if (limits.refusedKeywords.includes(key)) faults.push(`${path}: the keyword ${key}`)
    if (DATA.has(key)) continue
    const inner = NAMED.has(key) && isJsonObject(value) ? Object.values(value) : value
    faults.push(...schemaFaults(inner, `${path}.${key}`, limits))
  }
  return faults
}

function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed)
  if (!isJsonObject(schema)) return true
  const { properties, required, additionalProperties } = schema
  if ([schema['type']].flat().includes('object')) {
    if (additionalProperties !== false || !Array.isArray(required) || !isJsonObject(properties)) return false
    if (!Object.keys(properties).every((name) => required.includes(name))) return false
  }
  return Object.entries(schema).every(([key, value]) => {
    if (DATA.has(key)) return true
    return isClosed(NAMED.has(key) && isJsonObject(value) ? Object.values(value) : value)
  })
}

/** Whether an output format may be strict. */
export function isClosedSchema(schema: unknown): boolean {
  return isJsonObject(schema) && isClosed(schema)
}

function choiceFaults(choice: unknown, names: readonly unknown[], limits: UpstreamLimits): string[] {
  if (choice === undefined) return []
  if (typeof choice === 'string')
    return ['auto', 'none', limits.anyTool].includes(choice) ? [] : [`tool_choice: the word ${choice}`]
  if (!isJsonObject(choice) || choice['type'] !== 'function') return ['tool_choice: no function']
  const { name } = functionOf(choice)
  return names.includes(name) ? [] : [`tool_choice: no tool ${JSON.stringify(name)} is offered`]
}
