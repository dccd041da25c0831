import * as v from 'valibot'

/** The way to a value: keys and indexes. */
export type OptionPath = readonly (string | number)[]

/** One thing that is wrong with options or a configuration. No value is quoted: it may be a key. */
export interface Fault {
  /** What is wrong. */
  readonly path: OptionPath
  /** Where that is written: of an unknown key the key itself. */
  readonly place: OptionPath
  readonly message: string
}

/** A fault that is written where it is. */
export function faultAt(path: OptionPath, message: string): Fault {
  return { path, place: path, message }
}

/** What is wrong with a value by a schema; nothing if it is as it should be. */
export function faultsOf(schema: v.GenericSchema, value: unknown): readonly Fault[] {
  const { issues = [] } = v.safeParse(schema, value)
  return issues.map((issue) => {
    const items = issue.path ?? []
    const place = items.map(({ key }) => key as string | number)
    const path = isOfWhole(issue.type, items) ? place.slice(0, -1) : place
    return { path, place, message: issue.message }
  })
}

/** What is wrong with a name, or with the word that says which form an object has, is said of the object. */
function isOfWhole(type: string, items: readonly v.IssuePathItem[]): boolean {
  return items.at(-1)?.origin === 'key' || (type === 'variant' && items.at(-1)?.type === 'object')
}

/** A path as messages write it. */
export function shownPath(path: OptionPath, whole: string): string {
  return path.length === 0 ? whole : path.join('.')
}
