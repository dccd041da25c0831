/** JSON that may be none. */
export type ParsedText = { readonly value: unknown } | { readonly trouble: string }

/** Reads bytes as JSON; a tape is untrusted, so that they may be anything. */
export function parseBytes(bytes: Uint8Array): ParsedText {
  if (bytes.length === 0) return { trouble: 'the body is empty' }
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    return { trouble: `the body is no JSON (${bytes.length} bytes)` }
  }
}

/** Writes a value as JSON; what nests too deep for that is said instead of thrown. */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? ''
  } catch {
    return '(nested too deep to be shown)'
  }
}

/** The text of a value that should be one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The value of a text that is JSON; undefined for one that is not. */
export function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
