import { eventFrame } from '../../../../packages/core/test/amazon-q/frames.ts'
import type { AnswerStream, BenchedDialect } from './benched-dialect.ts'

type Payload = Readonly<Record<string, unknown>>

const CALL = { toolUseId: 'tooluse_AbCdEfGhIjKlMnOpQrStUv', name: 'Write' }

/** Amazon Q: frames with checksums. */
export const amazonQBenched: BenchedDialect = {
  upstream: {
    contentType: 'application/vnd.amazon.eventstream',
    text: (pieces) => {
      const chunks = pieces.map((content) => ({ content }))
      return answer('assistantResponseEvent', chunks, (event) => (event as { content: string }).content)
    },
    call: (pieces) => {
      const chunks = pieces.map((input) => ({ ...CALL, input }))
      const { closing, ...rest } = answer(
        'toolUseEvent',
        chunks,
        (event) => (event as { input: string }).input,
      )
      const stop = eventFrame(['toolUseEvent', { ...CALL, stop: true }])
      return { ...rest, closing: new Uint8Array(Buffer.concat([stop, closing])) }
    },
  },
}

function answer(type: string, payloads: readonly Payload[], pieceIn: AnswerStream['pieceIn']): AnswerStream {
  const chunks = payloads.map((payload) => JSON.stringify(payload))
  const tokenUsage = { uncachedInputTokens: 20_000, outputTokens: 340, totalTokens: 20_340 }
  return {
    opening: eventFrame(['messageMetadataEvent', { conversationId: 'c', utteranceId: 'u' }]),
    chunks,
    events: payloads.map((payload) => eventFrame([type, payload])),
    closing: eventFrame(['metadataEvent', { tokenUsage }]),
    pieceIn,
  }
}
