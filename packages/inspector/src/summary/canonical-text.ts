/**
 * A part of a request as JSON, without what clients change from turn to turn though it says the same: marks for the
 * cache move, and a lone text is a string or a block. Undefined for what cannot be written.
 */
export function canonicalText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, canonicalField) ?? ''
  } catch {
    return undefined
  }
}

function canonicalField(key: string, field: unknown): unknown {
  if (key === 'cache_control') return undefined
  return key === 'content' && typeof field === 'string' ? [{ type: 'text', text: field }] : field
}
