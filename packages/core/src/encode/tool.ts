import { builtInTool } from '../dialects/built-in-tools.ts'
import { nameOf, type PlacedTool } from '../dialects/placed-tools.ts'
import { noteOtherFields } from '../decode/other-fields.ts'
import { invalidRequest } from '../hub/error.ts'
import type { HubClientTool, HubRequest, HubTool } from '../hub/request.ts'
import type { JsonObject } from '../json/json-object.ts'
import type { Profile, SchemaRule } from '../profiles/profile.ts'
import type { Encoding } from './encoding.ts'
import { encodeSchema, isStrictSchema } from './schema.ts'
import { noteAnnotations, wellFormed } from './words.ts'

/** Fields of a tool definition that mean nothing to other upstreams than Anthropic. */
const ANNOTATIONS = ['eager_input_streaming', 'input_examples', 'allowed_callers'] as const

/** The fields of a client's own tool that are heard, or whose notes are taken elsewhere. */
const READ: ReadonlySet<string> = new Set<string>(
  [
    ['type', 'name', 'description', 'input_schema', 'strict'],
    ['defer_loading', 'cache_control', 'citations'],
    ANNOTATIONS,
  ].flat(),
)

/** Notes what of a tool's definition goes unheard, and that it goes by another name. */
export function noteTool({ tool, path }: PlacedTool, encoding: Encoding): void {
  const { names, notes } = encoding
  noteAnnotations(tool, path, encoding)
  const wireName = names.toWire(nameOf(tool))
  if (wireName !== nameOf(tool)) notes.add('tool_name_changed', `${path}.name`, `offered as ${wireName}`)
  for (const field of ANNOTATIONS) if (field in tool) noteToolField(field, path, encoding)
  if ('input_schema' in tool) noteOtherFields(tool as unknown as JsonObject, READ, { path, notes })
}

/** Notes that a field of a tool's definition goes unheard. */
export function noteToolField(field: string, path: string, { notes }: Encoding): void {
  notes.addOnce(`${field}_dropped`, `${path}.${field}`, 'the upstream has no equivalent')
}

/** The tool that must be called, if it is one by its name. */
export function chosenName({ tool_choice: choice }: HubRequest): string | undefined {
  return choice?.type === 'tool' ? choice.name : undefined
}

/** Leaves out deferred tools until something refers to them, unless the search for them is the server's. */
export function offeredTools(
  tools: readonly PlacedTool[],
  request: HubRequest,
  encoding: Encoding,
): PlacedTool[] {
  const { referencedTools, notes } = encoding
  const searches = tools.filter(({ tool }) => isToolSearch(tool))
  for (const { path } of searches) noteToolSearch(path, encoding)
  const chosen = chosenName(request)
  return tools.filter(({ tool, path }) => {
    if (isToolSearch(tool)) return false
    const isDeferred = 'defer_loading' in tool && tool.defer_loading
    if (!isDeferred || searches.length > 0 || referencedTools.has(nameOf(tool)) || nameOf(tool) === chosen)
      return true
    notes.addOnce('tool_deferred', path, 'deferred tools are offered once something refers to them')
    return false
  })
}

/** The first tools, as many as the upstream takes; the one that has to be called is among them. */
export function cappedTools(
  tools: readonly PlacedTool[],
  request: HubRequest,
  { profile: { maxTools }, notes }: Encoding<Profile & { readonly maxTools: number }>,
): readonly PlacedTool[] {
  if (tools.length <= maxTools) return tools
  const chosen = chosenName(request)
  const isChosen = ({ tool }: PlacedTool): boolean => nameOf(tool) === chosen
  const last = tools.slice(maxTools).find(isChosen) ?? tools[maxTools - 1]
  const kept = new Set([...tools.slice(0, maxTools - 1), last])
  return tools.filter((placed) => {
    if (kept.has(placed)) return true
    notes.add('tool_dropped', placed.path, `the upstream takes no more than ${maxTools} tools`)
    return false
  })
}

/** Refuses the choice of a tool that is not offered. */
export function refuseUnknownChoice(request: HubRequest, offered: readonly PlacedTool[]): void {
  const chosen = chosenName(request)
  if (chosen === undefined || offered.some(({ tool }) => nameOf(tool) === chosen)) return
  throw invalidRequest('tool_choice.name', 'expected a tool that this upstream can be offered')
}

/** Whether a tool is the server's search for tools, which no other upstream has. */
export function isToolSearch(tool: HubTool): boolean {
  return typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool_')
}

/** Notes that there is no search for tools. */
export function noteToolSearch(path: string, { notes }: Encoding): void {
  notes.add('tool_search_dropped', path, 'the upstream cannot search for tools: all of them are offered')
}

/** A tool as a function: what it is for, and the schema of its input. */
export interface FunctionDefinition {
  readonly description: string | undefined
  readonly parameters: JsonObject
  /** Whether the model must keep to the schema. */
  readonly strict: boolean
}

/** What a profile says about the tools that its upstream takes. */
interface FunctionRules extends Profile {
  readonly schema: SchemaRule
  readonly takesStrictTools: boolean
}

/** The definition of a client's own tool in a form that the upstream accepts. */
export function clientFunction(
  { description, strict: isWanted, input_schema: schema }: HubClientTool,
  path: string,
  encoding: Encoding<FunctionRules>,
): FunctionDefinition {
  const { profile, notes } = encoding
  const place = { rule: profile.schema, path: `${path}.input_schema`, notes }
  const parameters = encodeSchema(schema, place)
  const strict = isWanted === true && profile.takesStrictTools && isStrictSchema(parameters)
  if (isWanted === true && !strict)
    notes.add('strict_dropped', `${path}.strict`, 'the upstream cannot enforce this schema')
  const words = description ? wellFormed(description, `${path}.description`, encoding) : undefined
  return { description: words, parameters, strict }
}

/** The definition of a tool that clients run but that only Anthropic's models know by its type. */
export function spelledOut({ tool, path }: PlacedTool, { notes }: Encoding): FunctionDefinition {
  const type = tool.type ?? 'custom'
  const known = builtInTool(type)
  if (known === undefined) {
    throw invalidRequest(
      `${path}.type`,
      `the tool type '${type}' runs on Anthropic's servers only: this upstream has no such tool`,
    )
  }
  notes.add('tool_spelled_out', path, `the built-in tool ${type} is offered as a function`)
  return { description: known.description, parameters: known.parameters, strict: false }
}
