import { invalidRequest } from '../../hub/error.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
import { deepFreeze } from '../../json/deep-freeze.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { SchemaRule } from '../../profiles/profile.ts'
import { builtInTool } from '../built-in-tools.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import { withoutServerTools } from '../server-tools.ts'
import { noteAnnotations } from './content.ts'
import { type Encoding, wellFormed } from './encoding.ts'
import { encodeSchema, isStrictSchema } from '../../encode/schema.ts'
import type { ChatTool } from './wire.ts'

/** Fields of a tool definition that mean nothing to the upstream. */
const ANNOTATIONS = ['eager_input_streaming', 'input_examples', 'allowed_callers'] as const

/** The fields of a request that have to do with tools; none at all when no tool is offered. */
export function encodeTools(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const offered = capped(offeredTools(request, encoding), chosenName(request), encoding)
  if (offered.length === 0) return {}
  const tools = lasting(offered.map((placed) => encodeTool(placed, encoding)))
  return { tools, ...encodeChoice(request, offered, encoding) }
}

/** The last list that began with a tool. */
const lastLists = new WeakMap<ChatTool, readonly ChatTool[]>()

/** The same list as last time, if its tools are the same: whoever writes it down has it written already. */
function lasting(tools: readonly ChatTool[]): readonly ChatTool[] {
  const [first] = tools
  if (first === undefined || !tools.every(Object.isFrozen)) return tools
  const last = lastLists.get(first)
  if (last?.length === tools.length && last.every((tool, index) => tool === tools[index])) return last
  lastLists.set(first, Object.freeze(tools))
  return tools
}

function chosenName({ tool_choice: choice }: HubRequest): string | undefined {
  return choice?.type === 'tool' ? choice.name : undefined
}

/** Leaves out deferred tools until something refers to them, unless the search for them is the server's. */
function offeredTools(request: HubRequest, encoding: Encoding): PlacedTool[] {
  const { referencedTools, notes } = encoding
  const tools = withoutServerTools(encoding.tools, request, notes)
  const searched = tools.filter(({ tool }) => isToolSearch(tool))
  for (const { path } of searched) {
    notes.add('tool_search_dropped', path, 'the upstream cannot search for tools: all of them are offered')
  }
  const chosen = chosenName(request)
  return tools.filter(({ tool, path }) => {
    if (isToolSearch(tool)) return false
    const isDeferred = 'defer_loading' in tool && tool.defer_loading
    if (!isDeferred || searched.length > 0 || referencedTools.has(nameOf(tool)) || nameOf(tool) === chosen)
      return true
    notes.addOnce('tool_deferred', path, 'deferred tools are offered once something refers to them')
    return false
  })
}

function isToolSearch(tool: HubTool): boolean {
  return typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool_')
}

function encodeTool({ tool, path }: PlacedTool, encoding: Encoding): ChatTool {
  noteAnnotations(tool, path, encoding)
  noteName(nameOf(tool), path, encoding)
  for (const field of ANNOTATIONS) {
    if (!(field in tool)) continue
    encoding.notes.addOnce(`${field}_dropped`, `${path}.${field}`, 'the upstream has no equivalent')
  }
  if ('input_schema' in tool) return encodeCustomTool(tool, path, encoding)
  const type = tool.type ?? 'custom'
  const known = builtInTool(type)
  if (known === undefined) {
    throw invalidRequest(
      `${path}.type`,
      `the tool type '${type}' runs on Anthropic's servers only: this upstream has no such tool`,
    )
  }
  encoding.notes.add('tool_spelled_out', path, `the built-in tool ${type} is offered as a function`)
  return functionTool(
    nameOf(tool),
    { description: known.description, parameters: known.parameters },
    encoding,
  )
}

function noteName(name: string, path: string, { names, notes }: Encoding): void {
  const wireName = names.toWire(name)
  if (wireName !== name) notes.add('tool_name_changed', `${path}.name`, `offered as ${wireName}`)
}

type CustomTool = Extract<HubTool, { input_schema: unknown }>

/** What was made of a tool, and what that depended on. */
interface RememberedTool {
  readonly rule: SchemaRule
  readonly takesStrict: boolean
  readonly encoded: ChatTool
}

/** Tools that come with every request of an agent are the same frozen objects each time. */
const remembered = new WeakMap<CustomTool, RememberedTool>()

function encodeCustomTool(tool: CustomTool, path: string, encoding: Encoding): ChatTool {
  if (!Object.isFrozen(tool)) return encodeAnew(tool, path, encoding)
  const { profile, notes, names } = encoding
  const { schema: rule, takesStrictTools: takesStrict } = profile
  const known = remembered.get(tool)
  if (known?.rule === rule && known.takesStrict === takesStrict) {
    if (known.encoded.function.name === names.toWire(tool.name)) return known.encoded
  }
  const before = notes.count
  const encoded = encodeAnew(tool, path, encoding)
  // Notes belong to the request they were taken for, so a tool that needs some is looked at each time.
  if (notes.count === before) remembered.set(tool, { rule, takesStrict, encoded: deepFreeze(encoded) })
  return encoded
}

function encodeAnew(tool: CustomTool, path: string, encoding: Encoding): ChatTool {
  const { profile, notes } = encoding
  const schema = tool.input_schema as JsonObject
  const parameters = encodeSchema(schema, { rule: profile.schema, path: `${path}.input_schema`, notes })
  const description = tool.description
    ? wellFormed(tool.description, `${path}.description`, notes)
    : undefined
  const strict = tool.strict === true && profile.takesStrictTools && isStrictSchema(parameters)
  if (tool.strict === true && !strict) {
    notes.add('strict_dropped', `${path}.strict`, 'the upstream cannot enforce this schema')
  }
  return functionTool(tool.name, { description, parameters, strict }, encoding)
}

interface FunctionBody {
  readonly description?: string | undefined
  readonly parameters: JsonObject
  readonly strict?: boolean
}

function functionTool(name: string, body: FunctionBody, { names }: Encoding): ChatTool {
  const { description, parameters, strict } = body
  const definition: ChatTool['function'] = { name: names.toWire(name) }
  if (description !== undefined) definition.description = description
  definition.parameters = parameters
  if (strict === true) definition.strict = true
  return { type: 'function', function: definition }
}

/** The first tools, as many as the upstream takes; the one that has to be called is among them. */
function capped(
  tools: readonly PlacedTool[],
  chosen: string | undefined,
  { profile: { maxTools }, notes }: Encoding,
): readonly PlacedTool[] {
  if (tools.length <= maxTools) return tools
  const isChosen = ({ tool }: PlacedTool): boolean => nameOf(tool) === chosen
  const last = tools.slice(maxTools).find(isChosen) ?? tools[maxTools - 1]
  const kept = new Set([...tools.slice(0, maxTools - 1), last])
  return tools.filter((placed) => {
    if (kept.has(placed)) return true
    notes.add('tool_dropped', placed.path, `the upstream takes no more than ${maxTools} tools`)
    return false
  })
}

function encodeChoice(
  { tool_choice: choice }: HubRequest,
  offered: readonly PlacedTool[],
  encoding: Encoding,
): Record<string, unknown> {
  if (choice === undefined) return {}
  if (choice.type === 'tool' && !offered.some(({ tool }) => nameOf(tool) === choice.name))
    throw invalidRequest('tool_choice.name', 'expected a tool that this upstream can be offered')
  const { profile, notes, names } = encoding
  const isSerial = 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
  if (isSerial && !profile.takesParallelToolCalls) {
    notes.add(
      'parallel_calls_kept',
      'tool_choice.disable_parallel_tool_use',
      'the upstream has no such switch',
    )
  }
  const words = { auto: 'auto', any: profile.requiredToolChoice, none: 'none' } as const
  return {
    tool_choice:
      choice.type === 'tool'
        ? { type: 'function', function: { name: names.toWire(choice.name) } }
        : words[choice.type],
    ...(isSerial && profile.takesParallelToolCalls ? { parallel_tool_calls: false } : {}),
  }
}
