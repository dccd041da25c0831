import { blocksOf } from '../../hub/request.ts'
import type { HubMessage, HubRequest, HubTool } from '../../hub/request.ts'
import {
  expectArray,
  expectObject,
  expectOptional,
  expectShallowObject,
  expectText,
  unexpectedValue,
} from '../../json/expect.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { isLasting } from '../../memo/lasting.ts'
import { mapChanged } from '../../json/map-changed.ts'
import { withField } from '../../json/with-field.ts'

const CHOICES: ReadonlySet<unknown> = new Set(['auto', 'any', 'tool', 'none'])

const OPTIONAL_FLAGS: readonly string[] = ['strict', 'defer_loading']

/** Lists that come with every request of an agent are the same objects each time: they are checked once. */
const checked = new WeakMap<object, unknown>()

/** The tools of a request: each with a name of its own, the client's own ones with a schema. */
export function decodeTools(value: unknown, path: string): unknown {
  const isRepeated = Array.isArray(value) && isLasting(value)
  const known = isRepeated ? checked.get(value) : undefined
  if (known !== undefined) return known
  const tools = checkTools(value, path)
  if (isRepeated) checked.set(value, tools)
  return tools
}

function checkTools(value: unknown, path: string): unknown {
  const names = new Map<string, string>()
  return mapChanged(expectArray(value, path), (item, index) => {
    const at = `${path}[${index}]`
    const tool = decodeTool(item, at)
    const { name } = tool
    if (typeof name !== 'string') return tool
    const earlier = names.get(name)
    if (earlier !== undefined)
      throw unexpectedValue(`${at}.name`, `a name other than that of ${earlier}`, name)
    names.set(name, at)
    return tool
  })
}

/** One tool definition, as it is also part of a tool addition. */
export function decodeTool(value: unknown, path: string): JsonObject {
  const tool = expectObject(value, path)
  expectOptional(tool, 'type', { type: 'string', path })
  const { type } = tool
  if (!isToolset(type)) expectText(tool, 'name', path)
  if (type === undefined || type === null || type === 'custom') return decodeCustomTool(tool, path)
  return tool
}

/** The shape of a tool choice; whether its tool exists is for `checkChosenTool`. */
export function decodeToolChoice(value: unknown, path: string): unknown {
  const choice = expectObject(value, path)
  if (!CHOICES.has(choice.type)) {
    throw unexpectedValue(`${path}.type`, 'one of auto, any, tool, none', choice.type)
  }
  expectOptional(choice, 'disable_parallel_tool_use', { type: 'boolean', path })
  if (choice.type === 'tool') expectText(choice, 'name', path)
  return choice
}

/** Refuses a choice of a tool that the request does not offer; the members of a toolset are not known here. */
export function checkChosenTool({ tool_choice: choice, tools, messages }: HubRequest): void {
  if (choice?.type !== 'tool') return
  const isChosen = (tool: HubTool): boolean =>
    isToolset(tool.type) || ('name' in tool && tool.name === choice.name)
  if (tools?.some(isChosen) || toolsAddedIn(messages).some(isChosen)) return
  throw unexpectedValue('tool_choice.name', 'the name of one of the tools', choice.name)
}

function toolsAddedIn(messages: readonly HubMessage[]): HubTool[] {
  const blocks = messages.flatMap((message) => (message.role === 'system' ? blocksOf(message) : []))
  return blocks.flatMap((block) =>
    block.type === 'tool_addition' && block.tool.type === 'tool_definition' ? [block.tool.definition] : [],
  )
}

function decodeCustomTool(tool: JsonObject, path: string): JsonObject {
  expectOptional(tool, 'description', { type: 'string', path })
  for (const flag of OPTIONAL_FLAGS) expectOptional(tool, flag, { type: 'boolean', path })
  expectShallowObject(tool.input_schema, `${path}.input_schema`)
  return tool.description === null ? withField(tool, 'description', undefined) : tool
}

/** A toolset brings tools with names of its own and has none itself. */
function isToolset(type: unknown): boolean {
  return typeof type === 'string' && type.includes('toolset')
}
