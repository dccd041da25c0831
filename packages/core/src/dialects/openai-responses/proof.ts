import { ANTHROPIC, openEnvelope, sealEnvelope } from '../../identity/envelope.ts'
import { NAME } from './wire.ts'

/** Marks the proof of a thought that Anthropic does not show. */
export const REDACTED = 'redacted_thinking'

/** The proof of a thought as a client of this dialect carries it: its own kind raw, all others in an envelope. */
export function toEncryptedContent(signature: string): string {
  const envelope = openEnvelope(signature)
  if (envelope === undefined) return sealEnvelope({ by: ANTHROPIC, proof: signature })
  return envelope.by === NAME ? envelope.proof : signature
}

/** The carrier of a thought that cannot be read at all. */
export function redactedContent(data: string): string {
  return sealEnvelope({ by: ANTHROPIC, proof: data, id: REDACTED })
}

/** What a client sent back, as the hub has it. */
export type CarriedProof = { readonly signature: string } | { readonly redacted: string }

/** The reverse of `toEncryptedContent` and `redactedContent`. */
export function fromEncryptedContent(content: string): CarriedProof {
  const envelope = openEnvelope(content)
  if (envelope === undefined) return { signature: sealEnvelope({ by: NAME, proof: content }) }
  if (envelope.by !== ANTHROPIC) return { signature: content }
  return envelope.id === REDACTED ? { redacted: envelope.proof } : { signature: envelope.proof }
}
