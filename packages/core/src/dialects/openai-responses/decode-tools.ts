import { isPresent } from '../../json/present.ts'
import { freeTextTool } from '../../decode/free-text-tool.ts'
import { noteOtherFields } from '../../decode/other-fields.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubClientTool, HubTool } from '../../hub/request.ts'
import { expectArray, expectObject, expectShallowObject, expectText } from '../../json/expect.ts'
import { isJsonObject, type JsonObject } from '../../json/json-object.ts'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import type { CallKind, ClientTools } from './client-tools.ts'
import { BUILT_IN_FUNCTIONS } from './tool-functions.ts'

/** What reading tools needs. */
export interface ToolReading {
  readonly tools: ClientTools
  readonly notes: Notes
}

/** A tool as the hub has it, under the name by which it is offered. */
type NamedTool = readonly [name: string, tool: HubTool]

/** Where a tool is in the request. */
interface Place {
  readonly path: string
  readonly namespace?: string
}

/** What a search of the web is called in the hub. */
export const WEB_SEARCH = 'web_search' as const

/** A search of the web by the model's server, in all of its versions. */
const SEARCHES: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
])

/** The fields of each kind of tool that are read; of others a note says that they are dropped. */
const READ: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    function: ['name', 'description', 'parameters', 'strict'],
    custom: ['name', 'description', 'format'],
    namespace: ['name', 'description', 'tools'],
    tool_search: ['execution', 'description', 'parameters'],
    shell: ['environment'],
    local_shell: [],
    apply_patch: [],
    web_search: ['external_web_access', 'filters', 'search_context_size', 'user_location'],
  }).map(([type, fields]) => [type, new Set(['type', ...fields])]),
)

/** The tools of a request in the hub's form; the same name again is the same tool in a new form. */
export class ToolDecoder {
  readonly #reading: ToolReading
  readonly #offered = new Map<string, HubTool>()

  constructor(reading: ToolReading) {
    this.#reading = reading
  }

  get offered(): readonly HubTool[] {
    return [...this.#offered.values()]
  }

  has(name: string): boolean {
    return this.#offered.has(name)
  }

  /** A list of definitions: the request's own, or one that an item of its input adds. */
  add(value: unknown, path: string): string[] {
    const names: string[] = []
    for (const [index, item] of expectArray(value, path).entries()) {
      for (const [name, tool] of this.#decode(item, { path: `${path}[${index}]` })) {
        this.#offered.set(name, tool)
        names.push(name)
      }
    }
    return names
  }

  #decode(value: unknown, place: Place): NamedTool[] {
    const tool = expectObject(value, place.path)
    const type = expectText(tool, 'type', place.path)
    const read = READ.get(SEARCHES.has(type) ? 'web_search' : type)
    if (read !== undefined) noteOtherFields(tool, read, { ...place, notes: this.#reading.notes })
    switch (type) {
      case 'function':
        return [this.#function(tool, place, 'function')]
      case 'custom':
        return [this.#custom(tool, place)]
      case 'namespace':
        return this.#namespace(tool, place)
      case 'local_shell':
      case 'apply_patch':
        return [this.#builtIn(type)]
      case 'shell':
        return isHosted(tool) ? this.#drop(type, place) : [this.#builtIn(type)]
      case 'tool_search':
        return this.#toolSearch(tool, place)
      default:
        return SEARCHES.has(type) ? this.#webSearch(tool, place) : this.#drop(type, place)
    }
  }

  #function(tool: JsonObject, { path, namespace }: Place, kind: CallKind): NamedTool {
    const name = this.#claim(kind, expectText(tool, 'name', path), namespace)
    const before = functionsRead.get(tool)
    if (before?.name === name) return [name, before]
    const read = functionOf(tool, name, path)
    // A lasting tool for a lasting definition, so that what is made of it is remembered as well.
    if (isLasting(tool)) functionsRead.set(tool, markLasting(read))
    return [name, read]
  }

  #custom(tool: JsonObject, { path, namespace }: Place): NamedTool {
    const name = this.#claim('custom', expectText(tool, 'name', path), namespace)
    return [name, freeTextTool(name, tool, { path, notes: this.#reading.notes })]
  }

  #namespace(tool: JsonObject, { path }: Place): NamedTool[] {
    const namespace = expectText(tool, 'name', path)
    const members = expectArray(tool.tools, `${path}.tools`)
    const decoded = members.flatMap((member, index) =>
      this.#decode(member, { path: `${path}.tools[${index}]`, namespace }),
    )
    return withDescription(decoded, namespace, tool.description)
  }

  #builtIn(kind: keyof typeof BUILT_IN_FUNCTIONS): NamedTool {
    const name = this.#claim(kind, kind)
    return [name, { ...BUILT_IN_FUNCTIONS[kind], name }]
  }

  /** A search that the client runs is a function like others; one by the server is not to be had. */
  #toolSearch(tool: JsonObject, place: Place): NamedTool[] {
    if (tool.execution !== 'client') return this.#drop('tool_search', place)
    return [this.#function({ ...tool, name: 'tool_search' }, place, 'tool_search')]
  }

  #webSearch(tool: JsonObject, { path }: Place): NamedTool[] {
    const { notes } = this.#reading
    if (tool.external_web_access === false) {
      notes.add('tool_dropped', path, 'a search that may not reach the web is known to OpenAI only')
      return []
    }
    if (isPresent(tool.search_context_size))
      notes.add('field_ignored', `${path}.search_context_size`, 'the size of a search cannot be set')
    const domains = isJsonObject(tool.filters) ? tool.filters.allowed_domains : undefined
    const search = {
      type: 'web_search_20250305' as const,
      name: WEB_SEARCH,
      ...(Array.isArray(domains) && {
        allowed_domains: domains.filter((domain) => typeof domain === 'string'),
      }),
      ...(isJsonObject(tool.user_location) && { user_location: locationOf(tool.user_location) }),
    }
    return [[search.name, search]]
  }

  #drop(type: string, { path }: Place): NamedTool[] {
    this.#reading.notes.add('tool_dropped', path, `a tool of the type '${type}' is known to OpenAI only`)
    return []
  }

  #claim(kind: CallKind, name: string, namespace?: string): string {
    return this.#reading.tools.hubName({ kind, name, namespace })
  }
}

/** What was read of definitions that come with every request of an agent, which are the same objects each time. */
const functionsRead = new WeakMap<JsonObject, HubClientTool>()

function functionOf(tool: JsonObject, name: string, path: string): HubClientTool {
  const { parameters, description, strict } = tool
  const schema = isPresent(parameters) ? expectShallowObject(parameters, `${path}.parameters`) : {}
  return {
    name,
    ...(typeof description === 'string' && { description }),
    input_schema: { properties: {}, ...schema, type: 'object' },
    ...(strict === true && { strict }),
  }
}

/** A shell in a container of the server's. */
function isHosted({ environment }: JsonObject): boolean {
  return isJsonObject(environment) && environment.type !== 'local'
}

function locationOf(location: JsonObject): { type: 'approximate' } & Record<string, string> {
  const known = ['city', 'country', 'region', 'timezone'].flatMap((field) => {
    const value = location[field]
    return typeof value === 'string' ? [[field, value] as const] : []
  })
  return { type: 'approximate', ...Object.fromEntries(known) }
}

/** What a namespace is for is written once, at its first tool. */
function withDescription(members: NamedTool[], namespace: string, description: unknown): NamedTool[] {
  const [first, ...others] = members
  if (first === undefined || typeof description !== 'string' || description === '') return members
  const [name, tool] = first
  const own = 'description' in tool && tool.description ? `${tool.description}\n\n` : ''
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every member is a function
  const described = { ...tool, description: `${own}All tools of ${namespace}: ${description}` } as HubTool
  return [[name, described], ...others]
}
