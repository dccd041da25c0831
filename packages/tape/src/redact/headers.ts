import type { TapedHeaders } from '../format/lines.ts'

/** Headers as an HTTP library gives them. */
export type AnyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What is recorded: harmless, and of use to whoever reads or replays a tape. Everything else is left out. */
const RECORDED: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'anthropic-beta',
  'anthropic-dangerous-direct-browser-access',
  'anthropic-version',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'openai-beta',
  'openai-processing-ms',
  'openai-version',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'server',
  'transfer-encoding',
  'user-agent',
  'x-accel-buffering',
  'x-app',
  'x-hydra-notes',
  'x-request-id',
  'x-should-retry',
])

const RECORDED_FAMILIES = ['x-stainless-', 'x-claude-code-', 'anthropic-ratelimit-', 'x-ratelimit-']

/** Recorded headers end in none of these, whatever family they are of. */
const SECRET_ENDINGS = /(?:key|token|secret|password|cookie|authorization|credential)s?$/

/** The headers that are recorded, with lower-case names; values still have to be searched for secrets. */
export function recordedHeaders(headers: AnyHeaders): TapedHeaders {
  const recorded: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (value !== undefined && isRecorded(lower)) {
      recorded[lower] = typeof value === 'string' ? value : value.join(', ')
    }
  }
  return recorded
}

function isRecorded(name: string): boolean {
  if (RECORDED.has(name)) return true
  return RECORDED_FAMILIES.some((family) => name.startsWith(family)) && !SECRET_ENDINGS.test(name)
}
