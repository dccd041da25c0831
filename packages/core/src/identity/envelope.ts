import { fromBase64Url, toBase64Url } from './base64url.ts'

const PREFIX = 'hydra1.'

/** What we keep for a later turn inside the signature of a thinking block, which clients replay untouched. */
export interface Envelope {
  /** The client's id of the call that the secret belongs to. */
  readonly callId: string
  /** Gemini's `thought_signature`, which must come back with that call. */
  readonly thoughtSignature: string
}

/** Packs an envelope into a signature. */
export function sealEnvelope(envelope: Envelope): string {
  return PREFIX + toBase64Url(JSON.stringify(envelope))
}

/** Reads the envelope in a signature; `undefined` for signatures that are not ours. */
export function openEnvelope(signature: string): Envelope | undefined {
  if (!signature.startsWith(PREFIX)) return undefined
  const json = fromBase64Url(signature.slice(PREFIX.length))
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return isEnvelope(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false
  const { callId, thoughtSignature } = value as Record<string, unknown>
  return typeof callId === 'string' && typeof thoughtSignature === 'string'
}
