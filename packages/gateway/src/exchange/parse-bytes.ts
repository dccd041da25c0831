import { invalidRequest, parseJson } from '@hydra/core'

const DECODER = new TextDecoder('utf-8', { fatal: true })

/** The value of a body of JSON; what is none is an error of the client's. */
export function parseBytes(bytes: Uint8Array): unknown {
  return parseJson(decode(bytes))
}

function decode(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw invalidRequest('', 'expected JSON in UTF-8, got bytes that are not UTF-8')
  }
}
