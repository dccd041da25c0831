import { Buffer, isUtf8 } from 'node:buffer'

/** Bytes as a line holds them: text if they are UTF-8 by themselves, base64 otherwise. */
export function tapeBytes(bytes: Buffer): string | { readonly base64: string } {
  return isUtf8(bytes) ? bytes.toString('utf8') : { base64: bytes.toString('base64') }
}

/** Bytes given as a string of one character each, as a line holds them, in JSON. */
export function tapeLatin1(bytes: string): string {
  return JSON.stringify(tapeBytes(Buffer.from(bytes, 'latin1')))
}

/** Any bytes as a buffer, without a copy. */
export function bufferOf(bytes: string | Uint8Array): Buffer {
  if (typeof bytes === 'string') return Buffer.from(bytes, 'utf8')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
