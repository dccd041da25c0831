import {
  cappedTools,
  clientFunction,
  type FunctionDefinition,
  noteTool,
  offeredTools,
  refuseUnknownChoice,
  spelledOut,
} from '../../encode/tool.ts'
import type { HubClientTool, HubRequest } from '../../hub/request.ts'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import type { SchemaRule } from '../../profiles/profile.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import { withoutServerTools } from '../server-tools.ts'
import type { Encoding } from './encoding.ts'
import type { ChatTool } from './wire.ts'

/** The fields of a request that have to do with tools; none at all when no tool is offered. */
export function encodeTools(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const known = withoutServerTools(encoding.tools, request, encoding.notes)
  const offered = cappedTools(offeredTools(known, request, encoding), request, encoding)
  if (offered.length === 0) return {}
  const tools = lasting(offered.map((placed) => encodeTool(placed, encoding)))
  return { tools, ...encodeChoice(request, offered, encoding) }
}

/** The last list that began with a tool. */
const lastLists = new WeakMap<ChatTool, readonly ChatTool[]>()

/** The same list as last time, if its tools are the same: a cache of serialized lists finds it by identity. */
function lasting(tools: readonly ChatTool[]): readonly ChatTool[] {
  const [first] = tools
  if (first === undefined || !tools.every(isLasting)) return tools
  const last = lastLists.get(first)
  if (last?.length === tools.length && last.every((tool, index) => tool === tools[index])) return last
  lastLists.set(first, markLasting(tools))
  return tools
}

function encodeTool(placed: PlacedTool, encoding: Encoding): ChatTool {
  const { tool, path } = placed
  noteTool(placed, encoding)
  if ('input_schema' in tool) return encodeClientTool(tool, path, encoding)
  return functionTool(nameOf(tool), spelledOut(placed, encoding), encoding)
}

/** What was made of a tool, and what that depended on. */
interface RememberedTool {
  readonly rule: SchemaRule
  readonly takesStrict: boolean
  readonly encoded: ChatTool
}

/** Tools that come with every request of an agent are the same objects each time. */
const remembered = new WeakMap<HubClientTool, RememberedTool>()

function encodeClientTool(tool: HubClientTool, path: string, encoding: Encoding): ChatTool {
  if (!isLasting(tool)) return functionTool(tool.name, clientFunction(tool, path, encoding), encoding)
  const { profile, notes, names } = encoding
  const { schema: rule, takesStrictTools: takesStrict } = profile
  const known = remembered.get(tool)
  if (known?.rule === rule && known.takesStrict === takesStrict) {
    if (known.encoded.function.name === names.toWire(tool.name)) return known.encoded
  }
  const before = notes.count
  const encoded = functionTool(tool.name, clientFunction(tool, path, encoding), encoding)
  // Notes belong to the request they were taken for, so a tool that needs some is looked at each time.
  if (notes.count === before) remembered.set(tool, { rule, takesStrict, encoded: markLasting(encoded) })
  return encoded
}

function functionTool(name: string, body: FunctionDefinition, { names }: Encoding): ChatTool {
  const { description, parameters, strict } = body
  const definition: ChatTool['function'] = { name: names.toWire(name) }
  if (description !== undefined) definition.description = description
  definition.parameters = parameters
  if (strict) definition.strict = true
  return { type: 'function', function: definition }
}

function encodeChoice(
  request: HubRequest,
  offered: readonly PlacedTool[],
  encoding: Encoding,
): Record<string, unknown> {
  const { tool_choice: choice } = request
  if (choice === undefined) return {}
  refuseUnknownChoice(request, offered)
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
