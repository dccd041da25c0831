/** What a JSON value is, in one word for an error message; `nothing` is a value that is missing. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
