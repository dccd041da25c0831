import { crc32 } from 'node:zlib'

/** One event of an answer: its type and its payload. */
export type QEvent = readonly [type: string, payload: object]

/** A frame of an event stream with these headers, put together apart from the codec that reads it. */
export function frame(headers: Readonly<Record<string, string>>, payload: string | Uint8Array): Uint8Array {
  return rawFrame(Buffer.concat(Object.entries(headers).map(([name, value]) => header(name, value))), payload)
}

/** A frame with right checksums around whatever bytes stand for its headers. */
export function rawFrame(headers: Uint8Array, payload: string | Uint8Array): Uint8Array {
  const head = Buffer.from(headers)
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
  const key = Buffer.from(name)
  const text = Buffer.from(value)
  const STRING = 7
  return Buffer.concat([
    Buffer.of(key.length),
    key,
    Buffer.of(STRING, Math.floor(text.length / 256), text.length % 256),
    text,
  ])
}

/** The frame of an event. */
export function eventFrame([type, payload]: QEvent): Uint8Array {
  const headers = { ':event-type': type, ':content-type': 'application/json', ':message-type': 'event' }
  return frame(headers, JSON.stringify(payload))
}

/** The frame of an exception. */
export function exceptionFrame(type: string, payload: object): Uint8Array {
  return frame({ ':exception-type': type, ':message-type': 'exception' }, JSON.stringify(payload))
}

/** The body of an answer with these events. */
export function bodyOf(...events: readonly QEvent[]): Uint8Array {
  return joinedBytes(events.map(eventFrame))
}

/** Bytes one after the other. */
export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces))
}

/** A piece of text. */
export function textEvent(content: string): QEvent {
  return ['assistantResponseEvent', { content }]
}

/** A piece of thinking. */
export function thinkingEvent(text: string): QEvent {
  return ['reasoningContentEvent', { text }]
}

/** A piece of a call. */
export function callEvent(toolUseId: string, fields: object, name = 'Read'): QEvent {
  return ['toolUseEvent', { toolUseId, name, ...fields }]
}

/** A whole call in three events, as the service words it. */
export function wholeCall(id: string, input: object, name = 'Read'): QEvent[] {
  return [
    callEvent(id, {}, name),
    callEvent(id, { input: JSON.stringify(input) }, name),
    callEvent(id, { stop: true }, name),
  ]
}

/** The last event of an answer. */
export function endEvent(stopReason = 'END_TURN'): QEvent {
  const tokenUsage = { uncachedInputTokens: 11, outputTokens: 7, totalTokens: 18, cacheReadInputTokens: 3 }
  return ['metadataEvent', { stopReason, tokenUsage }]
}
