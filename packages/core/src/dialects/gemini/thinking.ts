import { fromBase64Url, toBase64Url } from '../../identity/base64url.ts'
import { type Envelope, GEMINI, openEnvelope, sealEnvelope } from '../../identity/envelope.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { jsonIn } from '../../json/wire.ts'
import type { GeminiPart } from './wire.ts'

/** Marks a signature that belongs to the text after it, and on no call. */
const ON_TEXT = 'text'
/** Marks a whole part: what Google's own tools did, which Google wants back as it was. */
const WHOLE_PART = 'part'

/** What our own signatures in a Gemini client's history begin with: six bytes, so that base64 keeps them apart. */
const MAGIC = 'hydra:'
const MAGIC_BASE64 = 'aHlkcmE6'

/** Signatures that Google documents for calls that no model of its own has made. */
const DUMMIES: ReadonlySet<string> = new Set([
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
])

/** The signature of a call that another model has made. */
export const DUMMY_SIGNATURE = 'skip_thought_signature_validator'

/** The kinds of parts that tell what Google's own tools did. */
export const SERVER_PARTS: readonly string[] = [
  'toolCall',
  'toolResponse',
  'executableCode',
  'codeExecutionResult',
]

/** Where a signature of Google's was in an answer. */
export type SignaturePlace = 'call' | 'text' | 'alone' | 'part'

/** A signature of Google's as that of a thinking block, which records the part that it was on. */
export function sealCallSignature(proof: string, callId: string): string {
  return sealEnvelope({ by: GEMINI, proof, callId })
}

/** The same for a signature on the text that follows. */
export function sealTextSignature(proof: string): string {
  return sealEnvelope({ by: GEMINI, proof, id: ON_TEXT })
}

/** The same for a signature on a part of its own. */
export function sealLoneSignature(proof: string): string {
  return sealEnvelope({ by: GEMINI, proof })
}

/** A part that no other dialect has a form for, as the signature of a thinking block. */
export function sealPart(part: object): string {
  return sealEnvelope({ by: GEMINI, proof: JSON.stringify(part), id: WHOLE_PART })
}

/** The part that was sealed, if that is what it is. */
export function unsealPart({ proof }: Envelope): GeminiPart | undefined {
  const part = jsonIn(proof)
  return isJsonObject(part) && SERVER_PARTS.some((kind) => kind in part) ? part : undefined
}

/** The envelope in a hub signature, if Google made its proof. */
export function openGemini(signature: string): Envelope | undefined {
  const envelope = openEnvelope(signature)
  return envelope?.by === GEMINI ? envelope : undefined
}

/** The part that a signature of Google's was on. */
export function placeOf({ callId, id }: Envelope): SignaturePlace {
  if (callId !== undefined) return 'call'
  if (id === WHOLE_PART) return 'part'
  return id === ON_TEXT ? 'text' : 'alone'
}

/** Thinking of another provider on its way through a Gemini client. */
export type PackedBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }

/** What was thought in a turn, up to the part that carries it. */
export interface PackedThinking {
  /** Before anything was said. */
  readonly first: readonly PackedBlock[]
  /** Directly before the part. */
  readonly before: readonly PackedBlock[]
}

/**
 * Packs whole thinking blocks into one signature. Gemini CLI drops thoughts from its history but keeps the
 * signatures of calls, and the field is typed as bytes, so it must be plain base64.
 */
export function packThinking(thinking: PackedThinking): string {
  const plain = toBase64Url(MAGIC + JSON.stringify(thinking))
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=')
}

/** What a signature in a Gemini client's history contains: thinking that was packed, Google's proof, or nothing. */
export function unpackSignature(signature: string): PackedThinking | 'google' | 'dummy' {
  if (DUMMIES.has(signature)) return 'dummy'
  const plain = signature.replaceAll('-', '+').replaceAll('_', '/')
  if (!plain.startsWith(MAGIC_BASE64)) return 'google'
  const text = fromBase64Url(signature.replace(/=+$/, ''))
  if (text === undefined) return 'google'
  const thinking = jsonIn(text.slice(MAGIC.length))
  if (!isJsonObject(thinking)) return 'google'
  const { first, before } = thinking
  return areBlocks(first) && areBlocks(before) ? { first, before } : 'google'
}

function areBlocks(value: unknown): value is readonly PackedBlock[] {
  return Array.isArray(value) && value.every(isPackedBlock)
}

function isPackedBlock(block: unknown): block is PackedBlock {
  if (!isJsonObject(block)) return false
  const { type, thinking, signature, data } = block
  if (type === 'thinking') return typeof thinking === 'string' && typeof signature === 'string'
  return type === 'redacted_thinking' && typeof data === 'string'
}
