import type { HubRequest } from '@hydra/core'
import { plainCall } from '@hydra/core'
import { askedEndpoint, dates, ids, temporaryPaths } from '@hydra/tape'

/** A request, as far as its tools are looked at. */
export interface AskedRequest {
  readonly path: string
  readonly body: Uint8Array
}

/** What a tool said, other than when it was recorded. */
export interface ToolDrift {
  readonly tool: string
  /** `small` is what changes from run to run: dates, ids, temporary paths, numbers, blanks. */
  readonly size: 'small' | 'large'
  readonly recorded: string
  readonly came: string
}

interface ToolResult {
  readonly tool: string
  readonly text: string
}

/** What the tools of this turn said otherwise than recorded. */
export function toolDrift(recorded: AskedRequest, came: AskedRequest): readonly ToolDrift[] {
  const [before, now] = [resultsOf(recorded), resultsOf(came)]
  const count = Math.max(before.length, now.length)
  return Array.from({ length: count }, (_item, index) => driftOf(before[index], now[index])).filter(
    (drift) => drift !== undefined,
  )
}

const NOTHING: ToolResult = { tool: '', text: '' }

function driftOf(then: ToolResult = NOTHING, now: ToolResult = NOTHING): ToolDrift | undefined {
  if (then.text === now.text && then.tool === now.tool) return undefined
  const isSmall = then.tool === now.tool && plain(then.text) === plain(now.text)
  const tool = now.tool === '' ? then.tool : now.tool
  return { tool, size: isSmall ? 'small' : 'large', recorded: then.text, came: now.text }
}

/** A text without what changes from run to run. */
function plain(text: string): string {
  // Agents number what their tools print with short ids too.
  const stable = temporaryPaths(ids(dates(text))).replaceAll(/\b[0-9a-f]{6,}\b/g, '(id)')
  return stable
    .replaceAll(/\d+(?:\.\d+)?/g, '0')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The results behind the last turn of the model, in the order of their calls. */
function resultsOf({ path, body }: AskedRequest): readonly ToolResult[] {
  const messages = hubOf(path, body)?.messages ?? []
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const names = new Map<string, string>()
  for (const { content } of messages) {
    if (typeof content === 'string' || content === undefined) continue
    for (const block of content) if (block.type === 'tool_use') names.set(block.id, block.name)
  }
  return messages.slice(last + 1).flatMap(({ content }) => {
    if (typeof content === 'string' || content === undefined) return []
    return content.flatMap((block) => {
      if (block.type !== 'tool_result') return []
      const failed = block.is_error === true ? 'error: ' : ''
      return [{ tool: names.get(block.tool_use_id) ?? '', text: failed + textOf(block.content) }]
    })
  })
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block: { readonly text?: unknown }) =>
      typeof block.text === 'string' ? block.text : JSON.stringify(block),
    )
    .join('\n')
}

function hubOf(path: string, body: Uint8Array): HubRequest | undefined {
  const asked = askedEndpoint(path)
  if (asked?.endpoint.purpose !== 'generate') return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body))
    return asked.client.decodeRequest(plainCall(value, { params: asked.params })).request
  } catch {
    return undefined
  }
}
