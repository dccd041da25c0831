const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What an encoder wrote, as a string. */
export function asText(written: string | Uint8Array): string {
  return typeof written === 'string' ? written : decoder.decode(written)
}
