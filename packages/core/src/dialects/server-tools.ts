import type { Notes } from '../hub/note.ts'
import type { HubRequest, HubTool } from '../hub/request.ts'
import { builtInTool } from './built-in-tools.ts'
import { nameOf, type PlacedTool } from './placed-tools.ts'

/**
 * The tools without those that only Anthropic's servers run and that the client can do without. One that it cannot
 * do without stays, to be refused: an answer in words would be taken for what the tool found.
 */
export function withoutServerTools(
  tools: readonly PlacedTool[],
  { extras }: Pick<HubRequest, 'extras'>,
  notes: Notes,
): readonly PlacedTool[] {
  const optional = extras?.optional_tools
  if (optional === undefined) return tools
  return tools.filter(({ tool, path }) => {
    if (!isServerTool(tool) || !optional.includes(nameOf(tool))) return true
    notes.add('tool_dropped', path, `the upstream has no tool of the type '${tool.type}'`)
    return false
  })
}

function isServerTool(tool: HubTool): boolean {
  if ('input_schema' in tool || typeof tool.type !== 'string') return false
  return builtInTool(tool.type) === undefined
}
