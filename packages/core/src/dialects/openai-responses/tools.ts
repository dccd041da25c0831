import { encodeSchema, isStrictSchema } from '../../encode/schema.ts'
import { wellFormed } from '../../encode/well-formed.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { builtInTool } from '../built-in-tools.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import { noteAnnotations } from './content.ts'
import type { Encoding } from './encoding.ts'
import type { WireFunction, WireTool } from './wire.ts'

/** Fields of a tool definition that mean nothing to the upstream. */
const ANNOTATIONS = ['eager_input_streaming', 'input_examples', 'allowed_callers'] as const

type SearchTool = Extract<HubTool, { type: `web_search_${string}` }>
type CustomTool = Extract<HubTool, { input_schema: unknown }>

/** The fields of a request that have to do with tools; none at all when no tool is offered. */
export interface ToolFields {
  readonly tools?: readonly WireTool[]
  readonly tool_choice?: unknown
  readonly parallel_tool_calls?: boolean
  /** How many calls of tools that the provider runs one answer may have. */
  readonly max_tool_calls?: number
}

/** A tool as it is offered, with the one that the client knows. */
interface Offer {
  readonly placed: PlacedTool
  readonly wire: WireTool
}

/** Encodes what may be called, and how freely. */
export function encodeTools(request: HubRequest, encoding: Encoding): ToolFields {
  const placed = offeredTools(request, encoding)
  const offers = placed.flatMap((entry) => offersOf(entry, encoding))
  if (offers.length === 0) {
    refuseNothingLeft(placed)
    return {}
  }
  const kept = capped(offers, request, encoding)
  return {
    tools: kept.map(({ wire }) => wire),
    ...searchLimit(kept),
    ...encodeChoice(request, kept, encoding),
  }
}

/** Whether the provider may search the web for this answer. */
export function searchesWeb({ tools = [] }: ToolFields): boolean {
  return tools.some(({ type }) => type === 'web_search')
}

/** Whoever asks with nothing but a tool that is not there is better served by an error than by a guess. */
function refuseNothingLeft([first]: readonly PlacedTool[]): void {
  if (first === undefined) return
  throw invalidRequest(`${first.path}.type`, 'expected a tool that this upstream can be offered, got none')
}

/** Leaves out deferred tools until something refers to them, unless the search for them is the server's. */
function offeredTools(request: HubRequest, { tools, referencedTools, notes }: Encoding): PlacedTool[] {
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

function chosenName({ tool_choice: choice }: HubRequest): string | undefined {
  return choice?.type === 'tool' ? choice.name : undefined
}

function isToolSearch(tool: HubTool): boolean {
  return typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool_')
}

function isSearch(tool: HubTool): tool is SearchTool {
  return typeof tool.type === 'string' && tool.type.startsWith('web_search_')
}

function offersOf(placed: PlacedTool, encoding: Encoding): Offer[] {
  const { tool, path } = placed
  noteAnnotations(tool, path, encoding)
  for (const field of ANNOTATIONS) {
    if (!(field in tool)) continue
    encoding.notes.addOnce(`${field}_dropped`, `${path}.${field}`, 'the upstream has no equivalent')
  }
  const wire = encodeTool(placed, encoding)
  return wire === undefined ? [] : [{ placed, wire }]
}

function encodeTool({ tool, path }: PlacedTool, encoding: Encoding): WireTool | undefined {
  if ('input_schema' in tool) return encodeCustomTool(tool, path, encoding)
  if (isSearch(tool) && encoding.profile.searchesWeb) return encodeSearch(tool, path, encoding)
  const type = tool.type ?? 'custom'
  const known = builtInTool(type)
  if (known === undefined) {
    const message = `the tool type '${type}' runs on Anthropic's servers only: it was left out`
    encoding.notes.add('server_tool_dropped', path, message)
    return undefined
  }
  encoding.notes.add('tool_spelled_out', path, `the built-in tool ${type} is offered as a function`)
  const { description, parameters } = known
  return functionTool({
    name: wireName(nameOf(tool), path, encoding),
    description,
    parameters,
    strict: false,
  })
}

function wireName(name: string, path: string, { names, notes }: Encoding): string {
  const wire = names.toWire(name)
  if (wire !== name) notes.add('tool_name_changed', `${path}.name`, `offered as ${wire}`)
  return wire
}

function encodeCustomTool(tool: CustomTool, path: string, encoding: Encoding): WireTool {
  const { profile, notes } = encoding
  const schema = tool.input_schema as JsonObject
  const parameters = encodeSchema(schema, { rule: profile.schema, path: `${path}.input_schema`, notes })
  const strict = tool.strict === true && profile.takesStrictTools && isStrictSchema(parameters)
  if (tool.strict === true && !strict) {
    notes.add('strict_dropped', `${path}.strict`, 'the upstream cannot enforce this schema')
  }
  const description = tool.description
    ? wellFormed(tool.description, `${path}.description`, notes)
    : undefined
  return functionTool({ name: wireName(tool.name, path, encoding), description, parameters, strict })
}

interface FunctionBody {
  readonly name: string
  readonly description: string | undefined
  readonly parameters: JsonObject
  readonly strict: boolean
}

/** `strict` is always said: the API takes a tool that does not say it for a strict one. */
function functionTool({ name, description, parameters, strict }: FunctionBody): WireFunction {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    strict,
  }
}

function encodeSearch(tool: SearchTool, path: string, { notes }: Encoding): WireTool {
  const { allowed_domains: allowed, blocked_domains: blocked, user_location: location } = tool
  if (blocked && blocked.length > 0) {
    notes.add('domains_kept', `${path}.blocked_domains`, 'the upstream cannot be kept from single domains')
  }
  return {
    type: 'web_search',
    ...(allowed && allowed.length > 0 ? { filters: { allowed_domains: allowed } } : {}),
    ...(location ? { user_location: location } : {}),
  }
}

/** How often the client lets the provider search; nothing else that is offered is run by the provider. */
function searchLimit(offers: readonly Offer[]): ToolFields {
  for (const { placed } of offers) {
    if (isSearch(placed.tool) && placed.tool.max_uses) return { max_tool_calls: placed.tool.max_uses }
  }
  return {}
}

/** The first tools, as many as the upstream takes; the one that has to be called is among them. */
function capped(
  offers: readonly Offer[],
  request: HubRequest,
  { profile: { maxTools }, notes }: Encoding,
): readonly Offer[] {
  if (offers.length <= maxTools) return offers
  const chosen = chosenName(request)
  const isChosen = ({ placed }: Offer): boolean => nameOf(placed.tool) === chosen
  const last = offers.slice(maxTools).find(isChosen) ?? offers[maxTools - 1]
  const kept = new Set([...offers.slice(0, maxTools - 1), last])
  return offers.filter((offer) => {
    if (kept.has(offer)) return true
    notes.add('tool_dropped', offer.placed.path, `the upstream takes no more than ${maxTools} tools`)
    return false
  })
}

const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const

function encodeChoice(
  { tool_choice: choice }: HubRequest,
  offers: readonly Offer[],
  { names }: Encoding,
): ToolFields {
  if (choice === undefined || choice === null) return {}
  const isSerial = 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
  return {
    tool_choice: choice.type === 'tool' ? namedChoice(choice.name, offers, names) : CHOICES[choice.type],
    ...(isSerial ? { parallel_tool_calls: false } : {}),
  }
}

function namedChoice(name: string, offers: readonly Offer[], names: Encoding['names']): unknown {
  const offer = offers.find(({ placed }) => nameOf(placed.tool) === name)
  if (offer === undefined)
    throw invalidRequest('tool_choice.name', 'expected a tool that this upstream can be offered')
  // The provider's own tools are chosen by their type.
  if (offer.wire.type !== 'function') return { type: 'web_search_preview' }
  return { type: 'function', name: names.toWire(name) }
}
