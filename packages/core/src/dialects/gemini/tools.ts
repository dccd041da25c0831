import { cappedTools, noteTool, noteToolField, offeredTools, spelledOut } from '../../encode/tool.ts'
import { wellFormed } from '../../encode/words.ts'
import type { HubClientTool, HubRequest } from '../../hub/request.ts'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import { builtInTool } from '../built-in-tools.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import type { Encoding } from './encoding.ts'
import { encodeSchema } from './schema.ts'
import type { GeminiFunction } from './wire.ts'

/** Tools that Google runs as Anthropic does, by what the type of Anthropic's begins with. */
const GOOGLE_TOOLS: readonly (readonly [prefix: string, tool: string])[] = [
  ['web_search_', 'googleSearch'],
  ['web_fetch_', 'urlContext'],
  ['code_execution_', 'codeExecution'],
]

/** What the tools of a request become. */
interface OfferedTools {
  readonly functions: readonly PlacedTool[]
  /** The tools that Google runs. */
  readonly google: readonly string[]
}

/** The fields of a request that have to do with tools; none at all when no tool is offered. */
export function encodeTools(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const { functions, google } = sortTools(request, encoding)
  if (functions.length === 0 && google.length === 0) return {}
  const functionDeclarations = functions.map((placed) => encodeFunction(placed, encoding))
  const tools = [
    ...google.map((tool) => ({ [tool]: {} })),
    ...(functions.length === 0 ? [] : [{ functionDeclarations }]),
  ]
  const config = {
    ...encodeChoice(request, functions, encoding),
    ...(functions.length > 0 && google.length > 0 && { includeServerSideToolInvocations: true }),
  }
  return { tools, ...(Object.keys(config).length > 0 && { toolConfig: config }) }
}

/** Whether functions are offered: some fields do not go together with them. */
export function offersFunctions({ tools }: Encoding): boolean {
  return tools.some(({ tool }) => 'input_schema' in tool || builtInTool(tool.type ?? '') !== undefined)
}

/** Whether tools that Google runs are offered. */
export function offersGoogleTools(encoding: Encoding): boolean {
  const isOffered = encoding.tools.some(({ tool }) => googleTool(tool.type ?? '') !== undefined)
  return isOffered && (encoding.profile.mixesTools || !offersFunctions(encoding))
}

function googleTool(type: string): string | undefined {
  return GOOGLE_TOOLS.find(([prefix]) => type.startsWith(prefix))?.[1]
}

/** As many functions as the upstream takes, and Google's own tools only where they may be used beside functions. */
function sortTools(request: HubRequest, encoding: Encoding): OfferedTools {
  const own: PlacedTool[] = []
  const google = new Set<string>()
  for (const placed of offeredTools(encoding.tools, request, encoding)) {
    noteTool(placed, encoding)
    const replacement = replacedBy(placed, encoding)
    if (replacement === undefined) own.push(placed)
    else if (replacement !== '') google.add(replacement)
  }
  const functions = cappedTools(own, request, encoding)
  if (functions.length === 0 || google.size === 0 || encoding.profile.mixesTools)
    return { functions, google: [...google] }
  encoding.notes.add('tool_dropped', 'tools', `${[...google].join(', ')} cannot be offered beside functions`)
  return { functions, google: [] }
}

/** The tool of Google's that takes a tool's place, '' where nothing does; `undefined` for a function. */
function replacedBy({ tool, path }: PlacedTool, encoding: Encoding): string | undefined {
  if ('input_schema' in tool) return undefined
  const type = tool.type ?? 'custom'
  const own = googleTool(type)
  if (own !== undefined) {
    encoding.notes.add('tool_replaced', path, `Google's ${own} takes the place of ${type}`)
    noteLimits(tool, path, encoding)
    return own
  }
  if (builtInTool(type) !== undefined) return undefined
  encoding.notes.add('tool_dropped', path, `the upstream has no tool of the type ${type}`)
  return ''
}

/** What Google's own tools cannot be told. */
const LIMITS = ['allowed_domains', 'blocked_domains', 'max_uses', 'user_location'] as const

/** Notes each limit of a tool that Google's does not keep to: an answer may rest on what the client shut out. */
function noteLimits(tool: object, path: string, encoding: Encoding): void {
  const told = Object.entries(tool).filter(([, value]) => value !== null && value !== undefined)
  for (const [field] of told) {
    if (LIMITS.some((limit) => limit === field)) noteToolField(field, path, encoding)
  }
}

function encodeFunction(placed: PlacedTool, encoding: Encoding): GeminiFunction {
  const { tool, path } = placed
  if ('input_schema' in tool) return encodeClientTool(tool, path, encoding)
  const { description = '', parameters: parametersJsonSchema } = spelledOut(placed, encoding)
  return { name: encoding.names.toWire(nameOf(tool)), description, parametersJsonSchema }
}

/** Tools that come with every request of an agent are the same objects each time. */
const remembered = new WeakMap<HubClientTool, GeminiFunction>()

function encodeClientTool(tool: HubClientTool, path: string, encoding: Encoding): GeminiFunction {
  const { notes, names } = encoding
  const known = remembered.get(tool)
  if (known !== undefined && known.name === names.toWire(tool.name)) return known
  const before = notes.count
  const { description = '', input_schema: schema } = tool
  const declaration = {
    name: names.toWire(tool.name),
    description: wellFormed(description, `${path}.description`, encoding),
    parametersJsonSchema: encodeSchema(schema, { path: `${path}.input_schema`, notes }),
  }
  // Notes belong to the request they were taken for, so a tool that needs some is looked at each time.
  if (notes.count === before && isLasting(tool)) remembered.set(tool, markLasting(declaration))
  return declaration
}

function encodeChoice(
  { tool_choice: choice }: HubRequest,
  functions: OfferedTools['functions'],
  { names, notes }: Encoding,
): Record<string, unknown> {
  if (functions.length === 0) return {}
  if (choice !== undefined && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use) {
    const path = 'tool_choice.disable_parallel_tool_use'
    notes.add('parallel_calls_kept', path, 'the upstream has no such switch')
  }
  switch (choice?.type) {
    case 'any':
      return callingMode('ANY')
    case 'none':
      return callingMode('NONE')
    case 'tool':
      if (functions.some(({ tool }) => nameOf(tool) === choice.name))
        return callingMode('ANY', [names.toWire(choice.name)])
      notes.add(
        'tool_choice_dropped',
        'tool_choice.name',
        'the tool is none that this upstream can be offered',
      )
      return {}
    default: {
      const isStrict = functions.some(({ tool }) => 'strict' in tool && tool.strict)
      return isStrict ? callingMode('VALIDATED') : {}
    }
  }
}

function callingMode(mode: string, allowed?: readonly string[]): Record<string, unknown> {
  return { functionCallingConfig: { mode, ...(allowed && { allowedFunctionNames: allowed }) } }
}
