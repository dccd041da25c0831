import { UsageError } from '@hydra/cli'
import { parseText } from '@hydra/inspector/summary'
import type { Source } from './imported.ts'
import { isAimock, readAimock } from './read-aimock.ts'
import { isClaudeTrace, readClaudeTrace } from './read-claude-trace.ts'
import { isHar, readHar } from './read-har.ts'
import { isOtel, readOtel } from './read-otel.ts'

/** What can be imported. */
export const SOURCES = ['har', 'aimock', 'claude-trace', 'otel'] as const

/** The name of something that can be imported. */
export type SourceName = (typeof SOURCES)[number]

/** Reads a file as what it is said to be, or else as what it looks like. */
export function readSource(text: string, from: SourceName | undefined): Source {
  switch (from ?? detect(text)) {
    case 'har':
      return readHar(expectForm(text, isHar, 'log.entries of an HTTP archive'))
    case 'aimock':
      return readAimock(expectForm(text, isAimock, 'a list named fixtures'))
    case 'claude-trace':
      return readClaudeTrace(text)
    case 'otel':
      return readOtel(text)
  }
}

function detect(text: string): SourceName {
  const whole = parseText(text)
  if (isHar(whole)) return 'har'
  if (isAimock(whole)) return 'aimock'
  if (isOtel(whole)) return 'otel'
  const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
  if (isClaudeTrace(parseText(first))) return 'claude-trace'
  if (isOtel(parseText(first))) return 'otel'
  throw new UsageError(
    `it looks like none of ${SOURCES.join(', ')}${placeOfFault(text)}; --from says which it is`,
  )
}

function expectForm(text: string, fits: (document: unknown) => boolean, expected: string): unknown {
  const document = parseText(text)
  if (document === undefined) throw new UsageError(`expected JSON, got something else${placeOfFault(text)}`)
  if (!fits(document)) throw new UsageError(`expected ${expected}, which is not there`)
  return document
}

/** Where a text stops being JSON. The engine's own words would quote the text, which may hold secrets. */
function placeOfFault(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? []
    if (line !== undefined) return ` (no JSON at line ${line}, column ${column})`
    return ' (no JSON: it ends too early or is none at all)'
  }
}
