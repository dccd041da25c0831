import type { HubToolResult } from '../hub/request.ts'

/** How results that are errors begin when they already say so themselves. */
const SAYS_ERROR = /^\s*(?:<tool_use_error>|\[?error\b|exit code [1-9]|traceback\b|exception\b|failed\b)/i

/** Whether the words of a failed call must say that it is an error: the upstream has no field for that. */
export function needsErrorWord(text: string, { is_error: isError }: HubToolResult): boolean {
  return isError === true && !SAYS_ERROR.test(text)
}

/** The words of a result for an upstream that has no field for errors, and none that are empty unless it wants that. */
export function resultText(text: string, result: HubToolResult, emptyResult: string): string {
  if (text === '') return result.is_error ? 'Error: the tool failed without a message' : emptyResult
  return needsErrorWord(text, result) ? `Error: ${text}` : text
}
