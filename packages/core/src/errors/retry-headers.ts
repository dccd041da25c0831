import type { ErrorKind, HubError } from '../hub/error.ts'

/** Kinds and statuses that another try cannot change; clients retry some of them for minutes, unless a header says not to. */
const FINAL: ReadonlySet<ErrorKind | number> = new Set([
  'authentication_error',
  'billing_error',
  'permission_error',
  401,
  402,
  403,
])

/** Whether another try cannot help, whatever the client thinks of the status. */
export function isFinal({ kind, status }: HubError): boolean {
  return FINAL.has(kind) || FINAL.has(status)
}

/** The headers of an error that say whether and when to try again, which the SDKs of Anthropic and OpenAI read. */
export function retryHeaders(error: HubError): Record<string, string> {
  const headers: Record<string, string> = {}
  // Zero, or a fraction, would be read as no wait at all.
  if (error.retryAfter !== undefined)
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfter)))
  const shouldRetry = isFinal(error) ? false : error.shouldRetry
  if (shouldRetry !== undefined) headers['x-should-retry'] = String(shouldRetry)
  return headers
}
