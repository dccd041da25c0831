import { claudeCodeMarks, Memo } from '@hydra/core'
import type { TapedHeaders } from '../format/lines.ts'

/** Headers as an HTTP library gives them. */
export type AnyHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** What is recorded: harmless, and useful for reading or replaying a tape. Everything else is left out. */
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
  claudeCodeMarks.appHeader,
  'x-hydra-notes',
  'x-request-id',
  'x-should-retry',
])

const RECORDED_FAMILIES = [
  'x-stainless-',
  claudeCodeMarks.headerPrefix,
  'anthropic-ratelimit-',
  'x-ratelimit-',
]

/** Recorded headers end in none of these, whatever family they are of. */
const SECRET_ENDINGS = /(?:key|token|secret|password|cookie|authorization|credential)s?$/

/** How many names are remembered: the same come again with every request. */
const MAX_NAMES = 256

/** Names as they came, in lower case; '' for those that are not recorded. */
const knownNames = new Memo<string, string>(MAX_NAMES)

/** The headers that are recorded, with lower-case names, and without what is secret in their values. */
export function recordedHeaders(headers: AnyHeaders, redact: (value: string) => string): TapedHeaders {
  const recorded: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const recordedAs = recordedName(name)
    const value = headers[name]
    if (recordedAs === undefined || value === undefined) continue
    recorded[recordedAs] = redact(typeof value === 'string' ? value : value.join(', '))
  }
  return recorded
}

function recordedName(name: string): string | undefined {
  const known = knownNames.get(name)
  if (known !== undefined) return known === '' ? undefined : known
  const lower = name.toLowerCase()
  const recordedAs = isRecorded(lower) ? lower : undefined
  knownNames.set(name, recordedAs ?? '')
  return recordedAs
}

function isRecorded(name: string): boolean {
  if (RECORDED.has(name)) return true
  return RECORDED_FAMILIES.some((family) => name.startsWith(family)) && !SECRET_ENDINGS.test(name)
}
