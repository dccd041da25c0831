/** Notes one reason to refuse a request. */
export type Report = (problem: string) => void

/** A JSON object of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** What OpenAI allows as the name of a function. */
export const NAME: RegExp = /^[\w-]{1,64}$/

/** Whether a value is an object and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as an object, an empty one if it is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Reports each field that is not among those that are known. */
export function refuseUnknown(value: JsonObject, known: readonly string[], { path, report }: Place): void {
  for (const name of Object.keys(value)) if (!known.includes(name)) report(`${path}: unknown field '${name}'`)
}

/** Where in a request something is, and where its problems go. */
export interface Place {
  readonly path: string
  readonly report: Report
}
