import { cacheMark } from '../../decode/cache-mark.ts'
import { freeTextTool } from '../../decode/free-text-tool.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import { isPresent } from '../../json/present.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubClientTool, HubRequest, HubTool } from '../../hub/request.ts'
import {
  expectArray,
  expectObject,
  expectOptional,
  expectShallowObject,
  expectText,
  unexpected,
  unexpectedValue,
} from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'

/** The tools of a request in the hub's form, and what the answer must know of them. */
export interface DecodedTools {
  readonly fields: Pick<HubRequest, 'tools' | 'tool_choice'>
  /** The names of tools whose input is free text. */
  readonly customTools: ReadonlySet<string>
  /** The client knows the `functions` of old: its calls have no ids. */
  readonly isLegacy: boolean
}

type Choice = NonNullable<HubRequest['tool_choice']>

const NO_PARAMETERS = { type: 'object', properties: {} } as const

/** The fields of tools that are read. */
const READ: ReadonlySet<string> = new Set(['type', 'function', 'custom', 'cache_control'])
const READ_OF_FUNCTION: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict'])
const READ_OF_CUSTOM: ReadonlySet<string> = new Set(['name', 'description', 'format'])

/** Decodes `tools` and `tool_choice`, or the `functions` and `function_call` that came before them. */
export function decodeTools(body: JsonObject, notes: Notes): DecodedTools {
  const customTools = new Set<string>()
  const tools = new ToolList()
  for (const [index, value] of listAt(body, 'tools').entries()) {
    const tool = decodeTool(value, `tools[${index}]`, { notes, customTools })
    if (tool !== undefined) tools.add(tool, `tools[${index}]`)
  }
  for (const [index, value] of listAt(body, 'functions').entries()) {
    const path = `functions[${index}]`
    tools.add(decodeFunction(expectObject(value, path), { path, notes }), path)
  }
  const isLegacy = isPresent(body['functions']) && !isPresent(body['tools'])
  const chosen = decodeChoice(body, tools.list, notes)
  const choice = withParallel(body, chosen, { isLegacy, hasTools: tools.list.length > 0 })
  return { fields: fieldsOf(allowedOf(body, tools.list, notes), choice), customTools, isLegacy }
}

function fieldsOf(tools: HubTool[], choice: Choice | undefined): DecodedTools['fields'] {
  if (tools.length === 0) return {}
  return { tools, ...(choice !== undefined && { tool_choice: choice }) }
}

class ToolList {
  readonly list: HubClientTool[] = []
  readonly #places = new Map<string, string>()

  add(tool: HubClientTool, path: string): void {
    const earlier = this.#places.get(tool.name)
    if (earlier !== undefined) {
      throw unexpectedValue(`${path}.name`, `a name other than that of ${earlier}`, tool.name)
    }
    this.#places.set(tool.name, path)
    this.list.push(tool)
  }
}

interface ToolContext {
  readonly notes: Notes
  readonly customTools: Set<string>
}

function decodeTool(
  value: unknown,
  path: string,
  { notes, customTools }: ToolContext,
): HubClientTool | undefined {
  const tool = expectObject(value, path)
  const { type = 'function' } = tool
  if (type === 'function' || type === 'custom') {
    noteOtherFields(tool, READ, { path, notes })
    const place = { path: `${path}.${type}`, notes }
    const definition = expectObject(tool[type], place.path)
    if (type === 'function') return { ...decodeFunction(definition, place), ...cacheMark(tool) }
    const custom = decodeCustom(definition, place)
    customTools.add(custom.name)
    return custom
  }
  if (typeof type !== 'string') throw unexpected(`${path}.type`, 'string', type)
  notes.add('tool_left_out', path, `a tool of the type ${type} has no equivalent`)
  return undefined
}

interface ToolPlace extends Pick<ToolContext, 'notes'> {
  readonly path: string
}

function decodeFunction(definition: JsonObject, { path, notes }: ToolPlace): HubClientTool {
  noteOtherFields(definition, READ_OF_FUNCTION, { path, notes })
  const name = expectText(definition, 'name', path)
  expectOptional(definition, 'description', { type: 'string', path })
  expectOptional(definition, 'strict', { type: 'boolean', path })
  const { description, parameters, strict } = definition
  const schema = isPresent(parameters) ? expectShallowObject(parameters, `${path}.parameters`) : NO_PARAMETERS
  return {
    name,
    ...(typeof description === 'string' && { description }),
    // The hub's schemas are JSON schemas of objects, as OpenAI's parameters are.
    input_schema: schema as HubClientTool['input_schema'],
    ...(typeof strict === 'boolean' && { strict }),
  }
}

function decodeCustom(definition: JsonObject, { path, notes }: ToolPlace): HubClientTool {
  noteOtherFields(definition, READ_OF_CUSTOM, { path, notes })
  const name = expectText(definition, 'name', path)
  expectOptional(definition, 'description', { type: 'string', path })
  return freeTextTool(name, definition, { path, notes })
}

function decodeChoice(body: JsonObject, tools: readonly HubClientTool[], notes: Notes): Choice | undefined {
  const field = isPresent(body['tool_choice']) ? 'tool_choice' : 'function_call'
  const choice = body[field]
  if (!isPresent(choice)) return undefined
  if (tools.length === 0) {
    notes.add('field_ignored', field, 'no tools are offered')
    return undefined
  }
  if (typeof choice === 'string') return namedMode(choice, field)
  if (!isOfUnknownKind(choice)) return namedTool(choice, field, tools)
  notes.add('tool_choice_ignored', field, 'a tool of a kind that is not offered')
  return undefined
}

const MODES: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ['none', { type: 'none' }],
  ['auto', { type: 'auto' }],
  ['required', { type: 'any' }],
  // Mistral's word for the same.
  ['any', { type: 'any' }],
])

const CHOICE_KINDS: ReadonlySet<unknown> = new Set(['function', 'custom', 'allowed_tools'])

/** Whether a choice is for a tool of a kind that is left out wherever it is offered. */
function isOfUnknownKind(choice: unknown): boolean {
  if (!isJsonObject(choice) || isPresent(choice['function'])) return false
  return typeof choice['type'] === 'string' && !CHOICE_KINDS.has(choice['type'])
}

function namedMode(mode: string, path: string): Choice {
  const choice = MODES.get(mode)
  if (choice !== undefined) return choice
  throw unexpectedValue(path, 'one of none, auto, required, or an object', mode)
}

function namedTool(value: unknown, path: string, tools: readonly HubClientTool[]): Choice {
  const choice = expectObject(value, path)
  if (choice['type'] === 'allowed_tools') {
    const allowed = expectObject(choice['allowed_tools'], `${path}.allowed_tools`)
    return namedMode(expectText(allowed, 'mode', `${path}.allowed_tools`), `${path}.allowed_tools.mode`)
  }
  const key = choice['type'] === 'custom' ? 'custom' : 'function'
  // The `function_call` of old has the name directly.
  const isDirect = path === 'function_call'
  const place = isDirect ? path : `${path}.${key}`
  const name = expectText(isDirect ? choice : expectObject(choice[key], place), 'name', place)
  if (tools.some((tool) => tool.name === name)) return { type: 'tool', name }
  throw unexpectedValue(`${place}.name`, 'the name of one of the tools', name)
}

/** The tools that the model may use: those of `allowed_tools` where the choice is among some. */
function allowedOf(body: JsonObject, tools: HubClientTool[], notes: Notes): HubClientTool[] {
  const choice = body['tool_choice']
  if (!isJsonObject(choice) || choice['type'] !== 'allowed_tools' || tools.length === 0) return tools
  const path = 'tool_choice.allowed_tools.tools'
  const list = expectArray(expectObject(choice['allowed_tools'], 'tool_choice.allowed_tools')['tools'], path)
  const names = new Set(list.map((value, index) => allowedName(value, `${path}[${index}]`)))
  const allowed = tools.filter(({ name }) => names.has(name))
  if (allowed.length < tools.length) {
    notes.add('tools_left_out', path, 'only the tools that are allowed now are offered')
  }
  return allowed
}

function allowedName(value: unknown, path: string): string {
  const tool = expectObject(value, path)
  const key = tool['type'] === 'custom' ? 'custom' : 'function'
  return expectText(expectObject(tool[key], `${path}.${key}`), 'name', `${path}.${key}`)
}

function withParallel(
  body: JsonObject,
  choice: Choice | undefined,
  { isLegacy, hasTools }: { readonly isLegacy: boolean; readonly hasTools: boolean },
): Choice | undefined {
  expectOptional(body, 'parallel_tool_calls', { type: 'boolean', path: '' })
  // A message of old holds one call.
  const isOne = body['parallel_tool_calls'] === false || isLegacy
  if (!isOne || !hasTools || choice?.type === 'none') return choice
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true }
}

function listAt(body: JsonObject, key: string): readonly unknown[] {
  return isPresent(body[key]) ? expectArray(body[key], key) : []
}
