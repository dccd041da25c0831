import { isLasting } from '../memo/lasting.ts'
import { blocksOf, type HubBlock, type HubRequest, type HubTool } from '../hub/request.ts'

/** A tool with its place in the request. */
export interface PlacedTool {
  readonly tool: HubTool
  readonly path: string
}

/** What a tool is called; a toolset has no name of its own. */
export function nameOf(tool: HubTool): string {
  return 'name' in tool ? tool.name : ''
}

/** Lists that come with every request of an agent are the same objects each time. */
const remembered = new WeakMap<object, readonly PlacedTool[]>()

/** The tools of the request with those that system messages added, and without those they removed. */
export function placedTools(request: HubRequest): readonly PlacedTool[] {
  const { tools = [], messages } = request
  const isRepeated = isLasting(tools) && !messages.some(({ role }) => role === 'system')
  const known = isRepeated ? remembered.get(tools) : undefined
  if (known !== undefined) return known
  const placed = placeTools(request)
  if (isRepeated) remembered.set(tools, Object.freeze(placed))
  return placed
}

function placeTools(request: HubRequest): PlacedTool[] {
  const tools = new Map<string, PlacedTool>()
  for (const [index, tool] of (request.tools ?? []).entries()) {
    const path = `tools[${index}]`
    tools.set(nameOf(tool) || path, { tool, path })
  }
  const known = new Map(tools)
  for (const [index, message] of request.messages.entries()) {
    if (message.role === 'system') applyChanges({ tools, known }, blocksOf(message), `messages[${index}]`)
  }
  return [...tools.values()]
}

interface ToolChanges {
  /** The tools that there are now. */
  readonly tools: Map<string, PlacedTool>
  /** All that there ever were: one that was removed may be added again by its name. */
  readonly known: Map<string, PlacedTool>
}

function applyChanges({ tools, known }: ToolChanges, blocks: readonly HubBlock[], path: string): void {
  for (const block of blocks) {
    if (block.type === 'tool_removal' && block.tool.type === 'tool_reference') tools.delete(block.tool.name)
    if (block.type !== 'tool_addition') continue
    const added = addedTool(block.tool, { known, path })
    if (added === undefined) continue
    known.set(nameOf(added.tool), added)
    tools.set(nameOf(added.tool), added)
  }
}

type Addition = Extract<HubBlock, { type: 'tool_addition' }>['tool']

/** What an addition adds; a tool that is added by its name is deferred no longer. */
function addedTool(
  addition: Addition,
  { known, path }: Pick<ToolChanges, 'known'> & { readonly path: string },
): PlacedTool | undefined {
  if (addition.type === 'tool_definition') return { tool: addition.definition, path }
  const placed = addition.type === 'tool_reference' ? known.get(addition.name) : undefined
  if (placed === undefined || !('defer_loading' in placed.tool)) return placed
  return { ...placed, tool: { ...placed.tool, defer_loading: false } }
}
