import { isJsonObject } from '@hydra/core'
import { placeholderFor } from './placeholder.ts'
import { isDescription, type ThirdParty } from './third-party.ts'

/** Replaces the texts of others in the body of a request of either dialect, in the same way in both. */
export type Replace = (body: Uint8Array) => Uint8Array

/** So long a description is also looked for inside of longer ones. */
const MIN_PART_LENGTH = 24

/** Makes the replacement of everything that was collected. */
export function replacementOf({ texts, descriptions }: ThirdParty): Replace {
  // What holds another text comes before it, or would not be found any more.
  const all = [...new Set([...texts, ...descriptions])].toSorted((one, other) => other.length - one.length)
  const placeholders = new Map(all.map((text, index) => [text, placeholderFor(text, index + 1)]))
  const parts = (known: ReadonlySet<string>, shortest: number): readonly string[] =>
    all.filter((text) => known.has(text) && text.length >= shortest)
  const everywhere = parts(texts, 0)
  const inDescriptions = parts(new Set(all), MIN_PART_LENGTH)
  const replaceParts = (text: string, originals: readonly string[]): string =>
    originals.reduce(
      (done, original) => done.replaceAll(original, () => placeholders.get(original) ?? ''),
      text,
    )
  const replaceText = (text: string): string => replaceParts(text, everywhere)
  const replaceDescription = (text: string): string =>
    placeholders.get(text) ?? replaceParts(text, inDescriptions)
  return (bytes) => {
    const body = parseExactly(bytes)
    const changed = mapStrings(body, (text, path) =>
      path.includes('tools') && isDescription(path.at(-1) ?? '')
        ? replaceDescription(text)
        : replaceText(text),
    )
    return Buffer.from(JSON.stringify(changed))
  }
}

/** Only a body that is written again as it was can be changed without changing anything else. */
function parseExactly(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString()
  const body = JSON.parse(text) as unknown
  if (JSON.stringify(body) !== text) throw new Error('a body is not as JSON.stringify writes it')
  return body
}

function mapStrings(
  value: unknown,
  change: (text: string, path: readonly string[]) => string,
  path: readonly string[] = [],
): unknown {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) {
    return value.map((item, index) => mapStrings(item, change, [...path, String(index)]))
  }
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, change, [...path, name])]),
  )
}

const DATA = 'data: '

/** Replaces them in the events of an answer as well: some dialects repeat there what the request said. */
export function replacedEvents(piece: Uint8Array, replace: Replace): Uint8Array {
  const lines = Buffer.from(piece).toString().split('\n')
  // Only Responses repeats the tools; what it did not repeat stays byte for byte.
  if (!lines.some((line) => line.startsWith(DATA) && line.includes('"tools":['))) return piece
  const changed = lines.map((line) =>
    line.startsWith(DATA) && line.endsWith('}')
      ? DATA + Buffer.from(replace(Buffer.from(line.slice(DATA.length)))).toString()
      : line,
  )
  return Buffer.from(changed.join('\n'))
}
