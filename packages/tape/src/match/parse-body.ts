/**
 * What a redaction leaves where a secret was. Numbers and lengths are those of the machine that recorded:
 * the machine that plays the tape has another key and another home directory.
 */
const MARK = /~([KEH])\d+-*~/g

/** Deeper than any real request; what nests deeper is compared as text. */
const MAX_DEPTH = 500

/** A text whose marks say only what kind of secret was there. */
export function withoutNumbers(text: string): string {
  return text.replaceAll(MARK, '~$1~')
}

/** The redacted body of a request as a value; a body that is no JSON is its text, and one that is no text its base64. */
export function parseBody(bytes: Uint8Array): unknown {
  const text = textOf(bytes)
  if (text === undefined) return Buffer.from(bytes).toString('base64')
  try {
    const value: unknown = JSON.parse(text)
    return isDeeper(value, MAX_DEPTH) ? text : value
  } catch {
    return text
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return withoutNumbers(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  return Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}
