import { fromBase64Url, toBase64Url } from './base64url.ts'

const PREFIX = 'hydra2.'
/** A signature of Gemini's that belongs to a call. Conversations hold these since before there were others. */
const CALL_PREFIX = 'hydra1.'

/** Gemini's signatures also come through its OpenAI-compatible endpoint, so its name is needed outside its folder. */
export const GEMINI = 'gemini'

/** Whose signatures travel raw in the hub, and in an envelope through clients of other dialects. */
export const ANTHROPIC = 'anthropic'

/**
 * A proof of thinking that only its maker can use, on its way through a client of another dialect. Clients send
 * the signature of a thinking block back untouched, so it travels there. In the hub a signature is either
 * Anthropic's own or an envelope, and a proof is never given to a provider that did not make it.
 */
export interface Envelope {
  /** The dialect whose proof it is. */
  readonly by: string
  /** The proof as its maker sent it: `encrypted_content`, `thoughtSignature`, … */
  readonly proof: string
  /** The client's id of the call that it belongs to, where it belongs to one. */
  readonly callId?: string
  /** The maker's own id of the thing, where it has one. */
  readonly id?: string
}

/**
 * The signature of thinking that its maker did not sign, for clients that would drop such thinking, show it as words of
 * the answer, or stop asking for any. In the hub such thinking has an empty signature.
 */
export const UNSIGNED = `${PREFIX}${toBase64Url('{"by":"","proof":""}')}`

/** Packs an envelope into a signature. */
export function sealEnvelope(envelope: Envelope): string {
  const { by, proof, callId, id } = envelope
  if (by === GEMINI && callId !== undefined && id === undefined) {
    return CALL_PREFIX + toBase64Url(JSON.stringify({ callId, thoughtSignature: proof }))
  }
  return PREFIX + toBase64Url(JSON.stringify(envelope))
}

/** Reads the envelope in a signature; `undefined` for signatures that are not ours. */
export function openEnvelope(signature: string): Envelope | undefined {
  const prefix = [PREFIX, CALL_PREFIX].find((known) => signature.startsWith(known))
  if (prefix === undefined) return undefined
  const json = fromBase64Url(signature.slice(prefix.length))
  if (json === undefined) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return prefix === PREFIX ? envelopeOf(value) : callEnvelopeOf(value)
  } catch {
    return undefined
  }
}

function envelopeOf(value: unknown): Envelope | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { by, proof, callId, id } = value as Record<string, unknown>
  if (typeof by !== 'string' || typeof proof !== 'string') return undefined
  return {
    by,
    proof,
    ...(typeof callId === 'string' && { callId }),
    ...(typeof id === 'string' && { id }),
  }
}

function callEnvelopeOf(value: unknown): Envelope | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { callId, thoughtSignature } = value as Record<string, unknown>
  if (typeof callId !== 'string' || typeof thoughtSignature !== 'string') return undefined
  return { by: GEMINI, proof: thoughtSignature, callId }
}
