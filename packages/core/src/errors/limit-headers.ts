import type { LimitState } from '../hub/limit-state.ts'

/** How far a client is from its limits, in the headers of OpenAI's APIs. */
export function limitHeaders(limits: LimitState): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const kind of ['requests', 'tokens'] as const) {
    const level = limits[kind]
    if (level === undefined) continue
    headers[`x-ratelimit-limit-${kind}`] = String(level.limit)
    headers[`x-ratelimit-remaining-${kind}`] = String(level.remaining)
    headers[`x-ratelimit-reset-${kind}`] = shownDuration(level.resetsIn)
  }
  return headers
}

/** A time as OpenAI writes it: `120ms`, `6.5s`, `1m30s`. */
function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.ceil(milliseconds)}ms`
  if (milliseconds < 60_000) return `${Math.ceil(milliseconds / 10) / 100}s`
  const seconds = Math.ceil(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
