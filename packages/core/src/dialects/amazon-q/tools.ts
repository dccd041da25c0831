import { invalidRequest } from '../../hub/error.ts'
import type { HubRequest, HubTool } from '../../hub/request.ts'
import { builtInTool } from '../built-in-tools.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import { withoutServerTools } from '../server-tools.ts'
import { type Encoding, noteAnnotations, wellFormed } from './encoding.ts'
import type { QTool } from './wire.ts'

/** Fields of a tool definition that mean nothing to the upstream. */
const ANNOTATIONS = ['eager_input_streaming', 'input_examples', 'allowed_callers', 'strict'] as const

/** The tools that are offered along with the current message. */
export function encodeTools(
  request: HubRequest,
  placed: readonly PlacedTool[],
  encoding: Encoding,
): readonly QTool[] {
  if (placed.length === 0 || isWithheld(request, encoding)) return []
  const tools = withoutServerTools(placed, request, encoding.notes)
  return tools.flatMap((entry) => encodeTool(entry, encoding))
}

/** The format knows no choice of tools: none at all is offered where none may be called. */
function isWithheld({ tool_choice: choice }: HubRequest, { notes }: Encoding): boolean {
  if (choice === undefined || choice === null) return false
  if (choice.type === 'none') {
    notes.add('tools_withheld', 'tool_choice', 'no tool may be called, so none is offered')
    return true
  }
  if (choice.type !== 'auto')
    notes.add('tool_choice_dropped', 'tool_choice', 'the upstream cannot be made to call a tool')
  if (choice.disable_parallel_tool_use)
    notes.add(
      'parallel_calls_allowed',
      'tool_choice.disable_parallel_tool_use',
      'the upstream cannot be kept from calling several tools at once',
    )
  return false
}

function encodeTool({ tool, path }: PlacedTool, encoding: Encoding): readonly QTool[] {
  const { notes } = encoding
  noteAnnotations(tool, path, encoding)
  for (const field of ANNOTATIONS) {
    if (!(field in tool)) continue
    notes.addOnce(`${field}_dropped`, `${path}.${field}`, 'the upstream has no equivalent')
  }
  if (typeof tool.type === 'string' && tool.type.startsWith('tool_search_tool_')) {
    notes.add('tool_search_dropped', path, 'the upstream cannot search for tools: all of them are offered')
    return []
  }
  if ('defer_loading' in tool && tool.defer_loading)
    notes.addOnce('tool_deferred_offered', path, 'the upstream cannot defer tools: all of them are offered')
  return [specified({ name: nameOf(tool), ...definitionOf(tool, path, encoding) }, path, encoding)]
}

interface Definition {
  readonly description: string | undefined
  readonly schema: unknown
}

function definitionOf(tool: HubTool, path: string, { notes }: Encoding): Definition {
  if ('input_schema' in tool) return { description: tool.description, schema: tool.input_schema }
  const type = tool.type ?? 'custom'
  const known = builtInTool(type)
  if (known === undefined) {
    throw invalidRequest(
      `${path}.type`,
      `the tool type '${type}' runs on Anthropic's servers only: this upstream has no such tool`,
    )
  }
  notes.add('tool_spelled_out', path, `the built-in tool ${type} is offered with its schema`)
  return { description: known.description, schema: known.parameters }
}

function specified(
  { name, description, schema }: Definition & { readonly name: string },
  path: string,
  encoding: Encoding,
): QTool {
  const { names, notes } = encoding
  const wireName = names.toWire(name)
  if (wireName !== name) notes.add('tool_name_changed', `${path}.name`, `offered as ${wireName}`)
  if (!description)
    notes.add('description_invented', `${path}.description`, 'the format wants one: the name stands in')
  return {
    toolSpecification: {
      name: wireName,
      description: wellFormed(description || name, `${path}.description`, encoding),
      inputSchema: { json: schema },
    },
  }
}
