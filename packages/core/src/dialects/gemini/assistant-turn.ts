import { wireCall } from '../../encode/call.ts'
import { blocksOf, type HubBlock, type HubMessage, type HubToolUse } from '../../hub/request.ts'
import type { Envelope } from '../../identity/envelope.ts'
import { encodeBlock } from './content.ts'
import type { Encoding } from './encoding.ts'
import { DUMMY_SIGNATURE, openGemini, placeOf, unsealPart } from './thinking.ts'
import { offersGoogleTools } from './tools.ts'
import type { GeminiPart } from './wire.ts'

/** The parts of an assistant's turn, each with the signature that it came with. */
export function encodeAssistant(message: HubMessage, path: string, encoding: Encoding): GeminiPart[] {
  const turn = new TurnParts(blocksOf(message), path, encoding)
  return turn.parts.some(saysSomething) ? turn.parts : []
}

function saysSomething({ text }: GeminiPart): boolean {
  return text !== ''
}

class TurnParts {
  readonly parts: GeminiPart[] = []
  readonly #encoding: Encoding
  readonly #ids: ReadonlySet<string>
  /** Signatures by the id of their call. */
  readonly #signatures = new Map<string, string>()
  /** The signature of a call whose id has changed since. */
  #nextCall: string | undefined
  #nextText: string | undefined
  #hasCall = false

  constructor(blocks: readonly HubBlock[], path: string, encoding: Encoding) {
    this.#encoding = encoding
    this.#ids = new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))
    for (const [index, block] of blocks.entries()) this.#add(block, `${path}.content[${index}]`)
  }

  #add(block: HubBlock, path: string): void {
    switch (block.type) {
      case 'tool_use':
        this.#call(block, path)
        return
      case 'thinking':
        this.#thinking(block, path)
        return
      case 'redacted_thinking':
        this.#noteDropped(path)
        return
      case 'tool_result':
        return
      default:
        this.#content(encodeBlock(block, path, this.#encoding))
    }
  }

  #content([first, ...rest]: readonly GeminiPart[]): void {
    if (first === undefined) return
    const signature = first.text === undefined ? undefined : this.#nextText
    this.parts.push(signature === undefined ? first : { ...first, thoughtSignature: signature }, ...rest)
    if (signature !== undefined) this.#nextText = undefined
  }

  /** The words of earlier thoughts are never sent, only what Google signed. */
  #thinking({ thinking, signature }: Extract<HubBlock, { type: 'thinking' }>, path: string): void {
    const envelope = openGemini(signature)
    if (envelope === undefined || thinking !== '') this.#noteDropped(path)
    if (envelope === undefined) return
    const { proof, callId } = envelope
    const place = placeOf(envelope)
    if (place === 'part') this.#serverPart(envelope, path)
    else if (place === 'text') this.#nextText = proof
    else if (place === 'alone') this.parts.push({ text: '', thoughtSignature: proof })
    else if (callId !== undefined && this.#ids.has(callId)) this.#signatures.set(callId, proof)
    else this.#nextCall = proof
  }

  /** Only a request that offers Google's tools may hold what they did. */
  #serverPart(envelope: Envelope, path: string): void {
    const part = offersGoogleTools(this.#encoding) ? unsealPart(envelope) : undefined
    if (part === undefined) this.#noteDropped(path)
    else this.parts.push(part)
  }

  #call(call: HubToolUse, path: string): void {
    const { id, name, input } = wireCall(call, path, this.#encoding)
    const signature = this.#signatureOf(call, path)
    const args = input as Record<string, unknown>
    this.parts.push({
      functionCall: { ...(this.#encoding.profile.takesCallIds && { id }), name, args },
      ...(signature !== undefined && { thoughtSignature: signature }),
    })
    this.#hasCall = true
  }

  /** The first call of a turn must be signed; a documented stand-in signs one that another model has made. */
  #signatureOf({ id }: HubToolUse, path: string): string | undefined {
    const own = this.#signatures.get(id) ?? this.#nextCall
    this.#nextCall = undefined
    if (own !== undefined || this.#hasCall || !this.#encoding.profile.needsSignatures) return own
    this.#encoding.notes.addOnce(
      'signature_invented',
      path,
      "the model wants calls to be signed: Google's documented stand-in was used",
    )
    return DUMMY_SIGNATURE
  }

  #noteDropped(path: string): void {
    this.#encoding.notes.addOnce(
      'thinking_dropped',
      path,
      'the upstream does not take the thinking of earlier turns back',
    )
  }
}
