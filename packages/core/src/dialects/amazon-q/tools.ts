import { isToolSearch, noteTool, noteToolField, noteToolSearch, spelledOut } from '../../encode/tool.ts'
import { wellFormed } from '../../encode/words.ts'
import type { HubRequest } from '../../hub/request.ts'
import { nameOf, type PlacedTool } from '../placed-tools.ts'
import { withoutServerTools } from '../server-tools.ts'
import type { Encoding } from './encoding.ts'
import type { QTool } from './wire.ts'

/** The tools that are offered along with the current message. */
export function encodeTools(request: HubRequest, encoding: Encoding): readonly QTool[] {
  if (encoding.tools.length === 0 || isWithheld(request, encoding)) return []
  const tools = withoutServerTools(encoding.tools, request, encoding.notes)
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

function encodeTool(placed: PlacedTool, encoding: Encoding): readonly QTool[] {
  const { tool, path } = placed
  noteTool(placed, encoding)
  if ('strict' in tool) noteToolField('strict', path, encoding)
  if (isToolSearch(tool)) {
    noteToolSearch(path, encoding)
    return []
  }
  if ('defer_loading' in tool && tool.defer_loading)
    encoding.notes.addOnce(
      'tool_deferred_offered',
      path,
      'the upstream cannot defer tools: all of them are offered',
    )
  return [specified(placed, encoding)]
}

function specified(placed: PlacedTool, encoding: Encoding): QTool {
  const { tool, path } = placed
  const { description, parameters } =
    'input_schema' in tool
      ? { description: tool.description, parameters: tool.input_schema }
      : spelledOut(placed, encoding)
  if (!description)
    encoding.notes.add(
      'description_invented',
      `${path}.description`,
      'the format wants one: the name is used',
    )
  return {
    toolSpecification: {
      name: encoding.names.toWire(nameOf(tool)),
      description: wellFormed(description || nameOf(tool), `${path}.description`, encoding),
      inputSchema: { json: parameters },
    },
  }
}
