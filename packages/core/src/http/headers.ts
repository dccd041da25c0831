/** The headers of a request, names in lower case. */
export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** The value of a header that is expected once. */
export function headerOf(headers: HeaderValues, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}
