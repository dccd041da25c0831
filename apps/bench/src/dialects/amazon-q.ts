import { crc32 } from 'node:zlib'
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
      const stop = frame('toolUseEvent', JSON.stringify({ ...CALL, stop: true }))
      return { ...rest, closing: new Uint8Array(Buffer.concat([stop, closing])) }
    },
  },
}

function answer(type: string, payloads: readonly Payload[], pieceIn: AnswerStream['pieceIn']): AnswerStream {
  const chunks = payloads.map((payload) => JSON.stringify(payload))
  const tokenUsage = { uncachedInputTokens: 20_000, outputTokens: 340, totalTokens: 20_340 }
  return {
    opening: frame('messageMetadataEvent', JSON.stringify({ conversationId: 'c', utteranceId: 'u' })),
    chunks,
    events: chunks.map((chunk) => frame(type, chunk)),
    closing: frame('metadataEvent', JSON.stringify({ tokenUsage })),
    pieceIn,
  }
}

function frame(type: string, payload: string): Uint8Array {
  const head = Buffer.concat([
    header(':event-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', 'event'),
  ])
  const body = Buffer.from(payload)
  const bytes = Buffer.alloc(head.length + body.length + 16)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(head.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  head.copy(bytes, 12)
  body.copy(bytes, 12 + head.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return new Uint8Array(bytes)
}

function header(name: string, value: string): Buffer {
  const STRING = 7
  return Buffer.concat([
    Buffer.of(name.length),
    Buffer.from(name),
    Buffer.of(STRING, 0, value.length),
    Buffer.from(value),
  ])
}
