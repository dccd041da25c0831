/** Whether there is a value: clients say null where they could say nothing. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** An object with one field, or with none where there is no value. */
export function present<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a computed key is a plain string to the compiler
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}
