import { numberIn, type VaryingText } from '../../fast-text/varying-text.ts'
import { isJsonObject } from '../../json/json-object.ts'
import type { WireObject } from '../../json/wire.ts'

/** The words of an answer; each chunk counts the tokens so far. */
export const TEXT: VaryingText = {
  key: 'text',
  textOf,
  holes: [numberIn('candidatesTokenCount'), numberIn('totalTokenCount')],
}

/** Fields of a chunk that say the same in each, or are kept by the template. */
const OF_CHUNKS: ReadonlySet<string> = new Set(['candidates', 'usageMetadata', 'modelVersion', 'responseId'])

function textOf(chunk: WireObject): string | undefined {
  const { candidates } = chunk
  if (!Array.isArray(candidates) || candidates.length !== 1) return undefined
  if (!Object.keys(chunk).every((key) => OF_CHUNKS.has(key))) return undefined
  const { content, index = 0, ...others } = objectOf(candidates[0])
  if (index !== 0 || Object.keys(others).length > 0) return undefined
  const { parts } = objectOf(content)
  if (!Array.isArray(parts) || parts.length !== 1) return undefined
  const { text, ...rest } = objectOf(parts[0])
  return typeof text === 'string' && Object.keys(rest).length === 0 ? text : undefined
}

function objectOf(value: unknown): WireObject {
  return isJsonObject(value) ? value : {}
}
