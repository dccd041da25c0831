import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubExtras, HubRequest, HubTool } from '../../hub/request.ts'
import { unexpectedValue } from '../../json/expect.ts'
import { isLasting, markLasting } from '../../memo/lasting.ts'
import { decodeSchema } from './decode-schema.ts'
import { Fields } from './fields.ts'

type OwnTool = Extract<HubTool, { input_schema: unknown }>

/** The tools of a request in the hub's form. */
interface DecodedTools {
  readonly fields: Pick<HubRequest, 'tools' | 'tool_choice'>
  readonly extras: HubExtras
}

/** Google's tools that Anthropic has as well. */
const SHARED_TOOLS: Readonly<Record<string, HubTool>> = {
  googleSearch: { type: 'web_search_20250305', name: 'web_search' },
  googleSearchRetrieval: { type: 'web_search_20250305', name: 'web_search' },
  urlContext: { type: 'web_fetch_20250910', name: 'web_fetch' },
  codeExecution: { type: 'code_execution_20250825', name: 'code_execution' },
}

/** Google's tools that have no counterpart. */
const OTHER_TOOLS = [
  'computerUse',
  'enterpriseWebSearch',
  'fileSearch',
  'googleMaps',
  'mcpServers',
  'parallelAiSearch',
  'retrieval',
] as const

/** Decodes `tools` and `toolConfig`. */
export function decodeTools(body: Fields, notes: Notes): DecodedTools {
  const list = new ToolList(notes)
  for (const [index, value] of body.list('tools').entries()) {
    list.add(new Fields(value, `${body.pathOf('tools')}[${index}]`))
  }
  list.noteNamesakes(body.pathOf('tools'))
  const config = body.object('toolConfig')
  const functions = [...list.functions.values()]
  const { choice, allowed } = decodeChoice(config, functions, notes)
  const tools = [
    ...functions.filter(({ name }) => allowed === undefined || allowed.has(name)),
    ...list.shared,
  ]
  if (tools.length === 0) return { fields: {}, extras: {} }
  return {
    fields: { tools, ...(choice !== undefined && functions.length > 0 && { tool_choice: choice }) },
    // Beside functions, what only some upstreams have is no reason to refuse a request.
    extras:
      functions.length > 0 && list.shared.length > 0
        ? { optional_tools: list.shared.map(({ name }) => name) }
        : {},
  }
}

class ToolList {
  readonly functions = new Map<string, OwnTool>()
  readonly #shared = new Map<string, Extract<HubTool, { name: string }>>()
  readonly #notes: Notes

  constructor(notes: Notes) {
    this.#notes = notes
  }

  /** Two tools of one name are refused everywhere, and the function is what the client can run itself. */
  get shared(): readonly Extract<HubTool, { name: string }>[] {
    return [...this.#shared.values()].filter(({ name }) => !this.functions.has(name))
  }

  /** Notes which of Google's tools a function takes the name from. */
  noteNamesakes(path: string): void {
    for (const name of this.#shared.keys()) {
      if (this.functions.has(name))
        this.#notes.add('tool_dropped', path, `Google's own tool has the name of the function ${name}`)
    }
  }

  add(tool: Fields): void {
    for (const [index, value] of tool.list('functionDeclarations').entries()) {
      this.#declare(value, `${tool.pathOf('functionDeclarations')}[${index}]`)
    }
    for (const [name, shared] of Object.entries(SHARED_TOOLS)) {
      const wanted = tool.object(name)
      if (wanted === undefined || !('name' in shared)) continue
      const shutOut = name === 'googleSearch' ? wanted.texts('excludeDomains') : []
      this.#shared.set(shared.name, shutOut.length > 0 ? withoutDomains(shared, shutOut) : shared)
      wanted.noteOthers(this.#notes)
    }
    for (const name of OTHER_TOOLS) {
      if (tool.get(name) === undefined) continue
      this.#notes.add('tool_dropped', tool.pathOf(name), 'a tool that only Google has')
    }
    tool.noteOthers(this.#notes)
  }

  #declare(value: unknown, path: string): void {
    const declaration = new Fields(value, path)
    const name = declaration.text('name') ?? ''
    if (name === '')
      throw unexpectedValue(declaration.pathOf('name'), 'non-empty string', declaration.get('name'))
    if (this.functions.has(name))
      throw unexpectedValue(declaration.pathOf('name'), 'a name that no other function has', name)
    const description = declaration.text('description') ?? ''
    const parameters = parametersOf(declaration)
    const readNow = (): OwnTool => ({
      name,
      ...(description !== '' && { description }),
      input_schema: schemaOf(parameters),
    })
    this.functions.set(name, readOnce(value, readNow))
    // The type of a function's result is for Google only.
    for (const field of ['response', 'responseJsonSchema', 'behavior']) declaration.get(field)
    declaration.noteOthers(this.#notes)
  }
}

function withoutDomains(
  tool: Extract<HubTool, { name: string }>,
  domains: string[],
): Extract<HubTool, { name: string }> {
  return 'type' in tool && tool.type === 'web_search_20250305' ? { ...tool, blocked_domains: domains } : tool
}

/** What was read of declarations that come with every request of an agent, which are the same objects each time. */
const functionsRead = new WeakMap<object, OwnTool>()

/** A lasting tool for a lasting declaration, so that what is made of it is remembered as well. */
function readOnce(declaration: unknown, read: () => OwnTool): OwnTool {
  if (typeof declaration !== 'object' || declaration === null || !isLasting(declaration)) return read()
  const before = functionsRead.get(declaration)
  if (before !== undefined) return before
  const tool = markLasting(read())
  functionsRead.set(declaration, tool)
  return tool
}

interface Parameters {
  readonly value: unknown
  readonly path: string
}

function parametersOf(declaration: Fields): Parameters {
  const name = declaration.get('parametersJsonSchema') === undefined ? 'parameters' : 'parametersJsonSchema'
  declaration.get('parameters')
  return { value: declaration.get(name), path: declaration.pathOf(name) }
}

function schemaOf({ value, path }: Parameters): OwnTool['input_schema'] {
  if (value === undefined) return { type: 'object', properties: {} }
  const schema = decodeSchema(value, path)
  return schema['type'] === 'object' ? (schema as OwnTool['input_schema']) : { ...schema, type: 'object' }
}

interface DecodedChoice {
  readonly choice?: HubRequest['tool_choice']
  /** The only functions that may be called, if not all may. */
  readonly allowed?: ReadonlySet<string>
}

const MODES: readonly string[] = ['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']

function decodeChoice(
  config: Fields | undefined,
  functions: readonly OwnTool[],
  notes: Notes,
): DecodedChoice {
  const calling = config?.object('functionCallingConfig')
  // It says whether Google tells what its own tools did.
  config?.get('includeServerSideToolInvocations')
  config?.noteOthers(notes)
  if (calling === undefined) return {}
  const mode = calling.word('mode', MODES) ?? 'AUTO'
  const names = calling.texts('allowedFunctionNames')
  calling.get('streamFunctionCallArguments')
  calling.noteOthers(notes)
  const unknown = names.findIndex((name) => !functions.some((tool) => tool.name === name))
  if (unknown !== -1) {
    const path = `${calling.pathOf('allowedFunctionNames')}[${unknown}]`
    throw unexpectedValue(path, 'the name of a function that is declared', names[unknown])
  }
  return choiceOf(mode, names, calling)
}

function choiceOf(mode: string, names: readonly string[], calling: Fields): DecodedChoice {
  const allowed = names.length > 0 ? { allowed: new Set(names) } : {}
  switch (mode) {
    case 'MODE_UNSPECIFIED':
    case 'AUTO':
      return { choice: { type: 'auto' } }
    case 'VALIDATED':
      return { choice: { type: 'auto' }, ...allowed }
    case 'NONE':
      return { choice: { type: 'none' } }
    case 'ANY': {
      const [only, ...more] = names
      if (only !== undefined && more.length === 0) return { choice: { type: 'tool', name: only } }
      return { choice: { type: 'any' }, ...allowed }
    }
    default:
      throw invalidRequest(calling.pathOf('mode'), `expected one of AUTO, ANY, NONE, VALIDATED, got ${mode}`)
  }
}
