import { HubError } from '../../hub/error.ts'
import type { ChatContext } from './profile.ts'
import { ChatStreamDecoder } from './decode-stream.ts'
import { decodeErrorPayload, isErrorPayload } from './error.ts'
import { objectAt, WireFault, type WireObject } from './wire.ts'

/** Reads an answer that came in one body: it is a stream of one chunk, so both have one meaning. */
export function decodeResponse(body: unknown, context: ChatContext): void {
  if (isErrorPayload(body)) throw decodeErrorPayload(body)
  const decoder = new ChatStreamDecoder(context)
  try {
    decoder.chunk(asChunk(body))
    decoder.conclude()
  } catch (thrown) {
    if (!(thrown instanceof WireFault)) throw thrown
    throw new HubError('api_error', `openai-chat: ${thrown.message}`, { status: 502, cause: thrown })
  }
}

function asChunk(body: unknown): WireObject {
  const answer = objectAt(body, 'the answer')
  const choices = answer?.['choices']
  if (!Array.isArray(choices) || choices.length === 0) {
    throw new WireFault('choices', 'an array with an answer', choices)
  }
  const first = objectAt(choices[0], 'choices[0]') ?? {}
  const delta = objectAt(first['message'], 'choices[0].message') ?? first['delta']
  return { ...answer, choices: [{ ...first, index: 0, delta }] }
}
