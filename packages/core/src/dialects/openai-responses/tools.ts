import {
  cappedTools,
  clientFunction,
  type FunctionDefinition,
  noteTool,
  offeredTools,
  refuseUnknownChoice,
  spelledOut,
} from '../../encode/tool.ts'
import { invalidRequest } from '../../hub/error.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
import { builtInTool } from '../built-in-tools.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import type { Encoding } from './encoding.ts'
import type { WireTool } from './wire.ts'

type SearchTool = Extract<HubTool, { type: `web_search_${string}` }>

/** The fields of a request that have to do with tools; none at all when no tool is offered. */
export interface ToolFields {
  readonly tools?: readonly WireTool[]
  readonly tool_choice?: unknown
  readonly parallel_tool_calls?: boolean
  /** How many calls of tools that the provider runs one answer may have. */
  readonly max_tool_calls?: number
}

/** Encodes what may be called, and how freely. */
export function encodeTools(request: HubRequest, encoding: Encoding): ToolFields {
  const wanted = offeredTools(encoding.tools, request, encoding)
  const known = wanted.filter((placed) => isKnown(placed, encoding))
  if (known.length === 0) {
    refuseNothingLeft(wanted)
    return {}
  }
  const offered = cappedTools(known, request, encoding)
  return {
    tools: offered.map((placed) => encodeTool(placed, encoding)),
    ...searchLimit(offered),
    ...encodeChoice(request, offered, encoding),
  }
}

/** Whether the provider may search the web for this answer. */
export function searchesWeb({ tools = [] }: ToolFields): boolean {
  return tools.some(({ type }) => type === 'web_search')
}

/** A client that asks with nothing but a tool that is not there is better served by an error than by a guess. */
function refuseNothingLeft([first]: readonly PlacedTool[]): void {
  if (first === undefined) return
  throw invalidRequest(`${first.path}.type`, 'expected a tool that this upstream can be offered, got none')
}

function isSearch(tool: HubTool): tool is SearchTool {
  return typeof tool.type === 'string' && tool.type.startsWith('web_search_')
}

/** Whether the upstream can be offered a tool: the client's own, one that it knows itself, or one with a known schema. */
function isKnown({ tool, path }: PlacedTool, { profile, notes }: Encoding): boolean {
  if ('input_schema' in tool || (isSearch(tool) && profile.searchesWeb)) return true
  const type = tool.type ?? 'custom'
  if (builtInTool(type) !== undefined) return true
  const message = `the tool type '${type}' runs on Anthropic's servers only: it was left out`
  notes.add('server_tool_dropped', path, message)
  return false
}

function encodeTool(placed: PlacedTool, encoding: Encoding): WireTool {
  const { tool, path } = placed
  noteTool(placed, encoding)
  const name = encoding.names.toWire(nameOf(tool))
  if ('input_schema' in tool) return functionTool(name, clientFunction(tool, path, encoding))
  if (isSearch(tool) && encoding.profile.searchesWeb) return encodeSearch(tool, path, encoding)
  return functionTool(name, spelledOut(placed, encoding))
}

/** `strict` is always said: the API takes a tool that does not say it for a strict one. */
function functionTool(name: string, { description, parameters, strict }: FunctionDefinition): WireTool {
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
function searchLimit(offered: readonly PlacedTool[]): ToolFields {
  for (const { tool } of offered) {
    if (isSearch(tool) && tool.max_uses) return { max_tool_calls: tool.max_uses }
  }
  return {}
}

const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const

function encodeChoice(request: HubRequest, offered: readonly PlacedTool[], encoding: Encoding): ToolFields {
  const { tool_choice: choice } = request
  if (choice === undefined || choice === null) return {}
  refuseUnknownChoice(request, offered)
  const isSerial = 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
  return {
    tool_choice: choice.type === 'tool' ? namedChoice(choice.name, offered, encoding) : CHOICES[choice.type],
    ...(isSerial ? { parallel_tool_calls: false } : {}),
  }
}

/** The provider's own tools are chosen by their type. */
function namedChoice(name: string, offered: readonly PlacedTool[], { names }: Encoding): unknown {
  const isSearchWanted = offered.some(({ tool }) => nameOf(tool) === name && isSearch(tool))
  return isSearchWanted ? { type: 'web_search_preview' } : { type: 'function', name: names.toWire(name) }
}
