import {
  isObject,
  type JsonObject,
  NAME,
  objectOf,
  type Place,
  refuseUnknown,
  type Report,
} from './problems.ts'

const MAX_TOOLS = 128

/** Checks the tools of a request and what refers to them. */
export function validateTools(request: JsonObject, report: Report): void {
  const { tools, tool_choice: choice, parallel_tool_calls: parallel } = request
  if (tools === undefined) {
    if (choice !== undefined) report('tool_choice: only with tools')
    if (parallel !== undefined) report('parallel_tool_calls: only with tools')
    return
  }
  if (!Array.isArray(tools) || tools.length === 0) {
    report('tools: expected at least one')
    return
  }
  if (tools.length > MAX_TOOLS) report(`tools: more than ${MAX_TOOLS}`)
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    const name = validateTool(objectOf(tool), { path: `tools[${index}]`, report })
    if (names.has(name)) report(`tools[${index}]: a second '${String(name)}'`)
    names.add(name)
  }
  validateChoice(choice, names, report)
}

function validateTool(tool: JsonObject, place: Place): unknown {
  const { path, report } = place
  if (tool['type'] !== 'function') report(`${path}.type: expected function, got ${String(tool['type'])}`)
  refuseUnknown(tool, ['type', 'function'], place)
  const definition = objectOf(tool['function'])
  refuseUnknown(definition, ['name', 'description', 'parameters', 'strict'], place)
  const { name, parameters } = definition
  if (typeof name !== 'string' || !NAME.test(name))
    report(`${path}: '${String(name)}' is no name for a function`)
  if (parameters !== undefined) validateParameters(parameters, place)
  return name
}

function validateParameters(parameters: unknown, { path, report }: Place): void {
  const schema = objectOf(parameters)
  if (schema['type'] !== 'object') report(`${path}.function.parameters.type: expected object`)
  if (!isObject(schema['properties'])) report(`${path}.function.parameters: expected properties`)
  for (const keyword of ['oneOf', 'anyOf', 'allOf', 'enum', 'not']) {
    if (schema[keyword] !== undefined) report(`${path}.function.parameters: '${keyword}' at the top`)
  }
}

function validateChoice(choice: unknown, names: ReadonlySet<unknown>, report: Report): void {
  if (choice === undefined || ['auto', 'none', 'required'].includes(choice as string)) return
  const { name } = objectOf(objectOf(choice)['function'])
  if (!names.has(name)) report(`tool_choice: there is no tool '${String(name)}'`)
}
