import type { HubToolResult } from '@hydra/core'

/** What a tool gave, as a result: a text as it is, anything else as JSON, nothing as an empty text. */
export function toolResult(id: string, value: unknown): HubToolResult {
  return { type: 'tool_result', tool_use_id: id, content: textOf(value) }
}

/** A result that says what went wrong. */
export function errorResult(id: string, message: string): HubToolResult {
  return { type: 'tool_result', tool_use_id: id, content: message, is_error: true }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  // Functions and symbols are no JSON: a tool that returns one has no result.
  return JSON.stringify(value) ?? ''
}
