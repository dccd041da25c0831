import { homedir } from 'node:os'
import { defaultRedaction } from '../redact/redaction.ts'

/** Takes out of a body what a recording on this machine would have taken out. */
export function localRedaction(): (body: Uint8Array) => Uint8Array {
  const redaction = defaultRedaction(process.env, homedir()).forTape()
  return (body) => redaction.bytes(body)
}
