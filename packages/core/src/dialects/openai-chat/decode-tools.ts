import type { Notes } from '../../hub/note.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
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
import { cacheMark } from './decode-part.ts'

/** The tools of a request in the hub's form, and what the answer must know of them. */
export interface DecodedTools {
  readonly fields: Pick<HubRequest, 'tools' | 'tool_choice'>
  /** The names of tools whose input is free text. */
  readonly customTools: ReadonlySet<string>
  /** The client knows the `functions` of old: its calls have no ids. */
  readonly isLegacy: boolean
}

type OwnTool = Extract<HubTool, { input_schema: unknown }>
type Choice = NonNullable<HubRequest['tool_choice']>

const NO_PARAMETERS = { type: 'object', properties: {} } as const
/** The one field of a tool that takes free text. */
const INPUT_SCHEMA = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const

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
    tools.add(decodeFunction(expectObject(value, path), path), path)
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
  readonly list: OwnTool[] = []
  readonly #places = new Map<string, string>()

  add(tool: OwnTool, path: string): void {
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

function decodeTool(value: unknown, path: string, { notes, customTools }: ToolContext): OwnTool | undefined {
  const tool = expectObject(value, path)
  const { type = 'function' } = tool
  if (type === 'function') {
    const place = `${path}.function`
    return { ...decodeFunction(expectObject(tool['function'], place), place), ...cacheMark(tool) }
  }
  if (type === 'custom') {
    const custom = decodeCustom(expectObject(tool['custom'], `${path}.custom`), `${path}.custom`)
    customTools.add(custom.name)
    return custom
  }
  if (typeof type !== 'string') throw unexpected(`${path}.type`, 'string', type)
  notes.add('tool_left_out', path, `a tool of the type ${type} has no equivalent`)
  return undefined
}

function decodeFunction(definition: JsonObject, path: string): OwnTool {
  const name = expectText(definition, 'name', path)
  expectOptional(definition, 'description', { type: 'string', path })
  expectOptional(definition, 'strict', { type: 'boolean', path })
  const { description, parameters, strict } = definition
  const schema = isPresent(parameters) ? expectShallowObject(parameters, `${path}.parameters`) : NO_PARAMETERS
  return {
    name,
    ...(typeof description === 'string' && { description }),
    // The hub's schemas are JSON schemas of objects, as OpenAI's parameters are.
    input_schema: schema as OwnTool['input_schema'],
    ...(typeof strict === 'boolean' && { strict }),
  }
}

/** A tool that takes free text becomes one with a single string; its grammar is told in words. */
function decodeCustom(definition: JsonObject, path: string): OwnTool {
  const name = expectText(definition, 'name', path)
  expectOptional(definition, 'description', { type: 'string', path })
  const words = [definition['description'], grammarText(definition['format'])]
  return {
    name,
    description: words.filter((text) => typeof text === 'string' && text !== '').join('\n\n'),
    input_schema: { ...INPUT_SCHEMA, required: [...INPUT_SCHEMA.required] },
  }
}

function grammarText(format: unknown): string {
  const { grammar } = isJsonObject(format) ? format : {}
  if (!isJsonObject(grammar) || typeof grammar['definition'] !== 'string') return ''
  return `The input must follow this ${String(grammar['syntax'])} grammar:\n${grammar['definition']}`
}

function decodeChoice(body: JsonObject, tools: readonly OwnTool[], notes: Notes): Choice | undefined {
  const field = isPresent(body['tool_choice']) ? 'tool_choice' : 'function_call'
  const choice = body[field]
  if (!isPresent(choice)) return undefined
  if (tools.length === 0) {
    notes.add('field_ignored', field, 'no tools are offered')
    return undefined
  }
  return typeof choice === 'string' ? namedMode(choice, field) : namedTool(choice, field, tools)
}

const MODES: ReadonlyMap<string, Choice> = new Map<string, Choice>([
  ['none', { type: 'none' }],
  ['auto', { type: 'auto' }],
  ['required', { type: 'any' }],
])

function namedMode(mode: string, path: string): Choice {
  const choice = MODES.get(mode)
  if (choice !== undefined) return choice
  throw unexpectedValue(path, 'one of none, auto, required, or an object', mode)
}

function namedTool(value: unknown, path: string, tools: readonly OwnTool[]): Choice {
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
function allowedOf(body: JsonObject, tools: OwnTool[], notes: Notes): OwnTool[] {
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

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}
