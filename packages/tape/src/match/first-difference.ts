import { isJsonObject } from '@hydra/core'
/** The first place where two values are not the same; a side that has nothing there is undefined. */
export interface FirstDifference {
  /** Where, such as `messages[3].content[0].text`; empty for the whole value. */
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

/** Finds the first place where two values that came from JSON differ; the order of keys makes no difference. */
export function firstDifference(expected: unknown, actual: unknown, path = ''): FirstDifference | undefined {
  if (Object.is(expected, actual)) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) return inLists(expected, actual, path)
  if (isJsonObject(expected) && isJsonObject(actual)) return inRecords(expected, actual, path)
  return { path, expected, actual }
}

function inLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: string,
): FirstDifference | undefined {
  for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
    const found = firstDifference(expected[index], actual[index], `${path}[${index}]`)
    if (found !== undefined) return found
  }
  return undefined
}

type Fields = Readonly<Record<string, unknown>>

function inRecords(expected: Fields, actual: Fields, path: string): FirstDifference | undefined {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = firstDifference(own(expected, key), own(actual, key), joined(path, key))
    if (found !== undefined) return found
  }
  return undefined
}

/** A field called `constructor` or `toString` is the sender's, never the prototype's. */
function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

function joined(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
