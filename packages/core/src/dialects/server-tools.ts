import { chosenName, isToolSearch } from '../encode/tool.ts'
import type { Notes } from '../hub/note.ts'
import type { HubRequest, HubTool } from '../hub/request.ts'
import { builtInTool } from './built-in-tools.ts'
import { nameOf, type PlacedTool } from './placed-tools.ts'

/**
 * The tools without those that only Anthropic's servers run, where the model has others to go on with or the client can
 * do without. One that has to be called stays, and so does the last one of all, to be refused: an answer in words would
 * be taken for what the tool found.
 */
export function withoutServerTools(
  tools: readonly PlacedTool[],
  request: HubRequest,
  notes: Notes,
): readonly PlacedTool[] {
  if (!tools.some(({ tool }) => isServerTool(tool))) return tools
  const optional = request.extras?.optional_tools ?? []
  const hasOthers = tools.some(({ tool }) => !isServerTool(tool) && !isToolSearch(tool))
  const chosen = chosenName(request)
  return tools.filter(({ tool, path }) => {
    const name = nameOf(tool)
    const isNeeded = name === chosen || !(hasOthers || optional.includes(name))
    if (!isServerTool(tool) || isNeeded) return true
    notes.add('tool_dropped', path, `the upstream has no tool of the type '${tool.type}'`)
    return false
  })
}

function isServerTool(tool: HubTool): boolean {
  if ('input_schema' in tool || typeof tool.type !== 'string') return false
  return builtInTool(tool.type) === undefined && !isToolSearch(tool)
}
