import { encodeSchema } from '../../encode/schema.ts'
import { modernSchema } from '../../encode/modern-schema.ts'
import { wellFormedValue } from '../../encode/well-formed-value.ts'
import type { HubRequest, HubClientTool, HubTool } from '../../hub/request.ts'
import type { JsonObject } from '../../json/json-object.ts'
import { isLasting } from '../../memo/lasting.ts'
import { placedTools, type PlacedTool } from '../placed-tools.ts'
import type { Encoding } from './encoding.ts'
import { isEnforceable } from './schema.ts'

type Fields = Pick<HubRequest, 'tools' | 'tool_choice'>

/** How many tools of a request Anthropic takes that are strict. */
const MAX_STRICT_TOOLS = 20

/** What Anthropic refuses at the top of a schema, or cannot look through. */
const NOT_AT_TOP = ['oneOf', 'anyOf', 'allOf', '$ref'] as const

/** Encodes what may be called, and how freely: the same objects wherever nothing has to change. */
export function encodeTools(request: HubRequest, encoding: Encoding): Fields {
  const { tools = [] } = request
  const placed = offered(request, encoding)
  const strict = strictTools(placed, encoding)
  const encoded = placed.map((entry) => encodeTool(entry, strict, encoding))
  const isSame = encoded.length === tools.length && encoded.every((tool, index) => tool === tools[index])
  if (encoded.length === 0) return request.tools === undefined ? {} : { tools: [] }
  return { tools: isSame ? tools : encoded, ...encodeChoice(request, encoding) }
}

/** Where system messages stay between the turns, what they say of tools stays with them. */
function offered(request: HubRequest, { profile }: Encoding): readonly PlacedTool[] {
  if (profile.systemMidway === 'reminder') return placedTools(request)
  return (request.tools ?? []).map((tool, index) => ({ tool, path: `tools[${index}]` }))
}

/** The tools whose calls the model can be held to, as many as Anthropic takes. */
function strictTools(placed: readonly PlacedTool[], { profile }: Encoding): ReadonlySet<HubTool> {
  const { refusedKeywords } = profile.schema
  const tools = placed.flatMap(({ tool }) => {
    const isWanted = 'input_schema' in tool && tool.strict === true && profile.takesSchemas
    return isWanted && isEnforceable(tool.input_schema, refusedKeywords) ? tool : []
  })
  return new Set(tools.slice(0, MAX_STRICT_TOOLS))
}

function encodeTool(
  { tool: given, path }: PlacedTool,
  strict: ReadonlySet<HubTool>,
  encoding: Encoding,
): HubTool {
  const held = withoutStrict(given, path, { encoding, isStrict: strict.has(given) })
  const tool = readableTool(held, path, encoding)
  if (!('input_schema' in tool)) return tool
  return withLegalSchema(withLegalName(tool, path, encoding), path, encoding)
}

function withoutStrict(
  tool: HubTool,
  path: string,
  { encoding: { notes }, isStrict }: { readonly encoding: Encoding; readonly isStrict: boolean },
): HubTool {
  if (!('input_schema' in tool) || tool.strict !== true || isStrict) return tool
  notes.addOnce('strict_dropped', `${path}.strict`, 'the model cannot be held to this schema')
  const { strict: _strict, ...rest } = tool
  return rest
}

/** Tools that come with every request of an agent are the same objects each time: they are looked through once. */
const readable = new WeakSet<HubTool>()

/** A tool without halves of characters, and with a schema in the words of the draft by which Anthropic checks it. */
function readableTool(tool: HubTool, path: string, encoding: Encoding): HubTool {
  if (readable.has(tool)) return tool
  const whole = withModernSchema(wellFormedValue(tool, path, encoding))
  if (whole === tool && isLasting(tool)) readable.add(tool)
  return whole
}

function withModernSchema(tool: HubTool): HubTool {
  if (!('input_schema' in tool)) return tool
  const schema = modernSchema(tool.input_schema)
  if (schema === tool.input_schema) return tool
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same schema in other words
  return { ...tool, input_schema: schema as unknown as HubClientTool['input_schema'] }
}

function withLegalName(tool: HubClientTool, path: string, { names, notes }: Encoding): HubClientTool {
  const name = names.toWire(tool.name)
  if (name === tool.name) return tool
  notes.add('tool_name_changed', `${path}.name`, `offered as ${name}`)
  return { ...tool, name }
}

function withLegalSchema(tool: HubClientTool, path: string, { notes }: Encoding): HubClientTool {
  const schema = tool.input_schema as JsonObject
  const isLegal = schema['type'] === 'object' && NOT_AT_TOP.every((key) => schema[key] === undefined)
  if (isLegal) return tool
  const rule = { refusedKeywords: [], flattensTop: true }
  const legal = encodeSchema(schema, { rule, path: `${path}.input_schema`, notes })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `encodeSchema` gives the schema of an object
  return { ...tool, input_schema: legal as unknown as HubClientTool['input_schema'] }
}

function encodeChoice({ tool_choice: choice }: HubRequest, { names }: Encoding): Pick<Fields, 'tool_choice'> {
  if (choice === undefined) return {}
  if (choice.type !== 'tool' || names.toWire(choice.name) === choice.name) return { tool_choice: choice }
  return { tool_choice: { ...choice, name: names.toWire(choice.name) } }
}
