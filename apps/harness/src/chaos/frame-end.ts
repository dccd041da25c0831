import { crc32 } from 'node:zlib'
import type { UpstreamEnd } from './upstream-end.ts'

/** Before the headers: two lengths and a checksum. Behind the payload: another checksum. */
const PRELUDE = 12
const CHECKSUM = 4

/** Events that are a part of an answer. */
const CONTENT = /assistantResponseEvent|reasoningContentEvent|toolUseEvent/

/** What takes the place of an event where the service has failed. */
const FAILURE = /:exception-type|:error-code|invalidStateEvent/

/** Finds the event that ends an answer of frames; what follows it may take the end back. */
export function endOfFrames(bytes: Uint8Array): UpstreamEnd {
  const calls = new Set<unknown>()
  let found: UpstreamEnd = { at: Infinity, isFollowed: false }
  for (const { headers, payload, end } of framesIn(bytes)) {
    const kind = kindOf(headers)
    if (kind === 'failure') return followed(found)
    if (kind === 'content') found = followed(found)
    if (headers?.includes('toolUseEvent') === true) countCall(calls, payload)
    const isOver = kind === 'end' && (calls.size === 0 || isCut(payload))
    if (isOver) found = { at: Math.min(found.at, end), isFollowed: found.isFollowed }
  }
  return found
}

/** Nothing that stands behind a failure or a broken frame is an answer. */
function kindOf(headers: string | undefined): 'content' | 'end' | 'failure' | 'other' {
  if (headers === undefined || FAILURE.test(headers)) return 'failure'
  if (CONTENT.test(headers)) return 'content'
  return headers.includes('metadataEvent') ? 'end' : 'other'
}

function followed(found: UpstreamEnd): UpstreamEnd {
  return found.at === Infinity ? found : { at: found.at, isFollowed: true, isTakenBack: true }
}

/** A call is open from its first piece to the one that stops it. */
function countCall(calls: Set<unknown>, payload: string): void {
  const { toolUseId, stop } = fieldsOf(payload)
  if (stop === true) calls.delete(toolUseId)
  else calls.add(toolUseId)
}

/** Ends that leave a call where it is. */
const CUT: ReadonlySet<unknown> = new Set(['MAX_TOKENS', 'MODEL_CONTEXT_WINDOW_EXCEEDED', 'CONTENT_FILTERED'])

function isCut(payload: string): boolean {
  return CUT.has(fieldsOf(payload)['stopReason'])
}

function fieldsOf(payload: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(payload) ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

interface FoundFrame {
  /** As they are, names and values with their lengths between them; none where the frame is broken or cut. */
  readonly headers: string | undefined
  readonly payload: string
  /** After how many bytes the frame was there. */
  readonly end: number
}

/** The frames of a body, up to the first one whose lengths or checksums are wrong. */
function* framesIn(bytes: Uint8Array): Generator<FoundFrame> {
  const buffer = Buffer.from(bytes)
  let at = 0
  while (at < buffer.length) {
    const frame = frameAt(buffer, at)
    if (frame === undefined) {
      yield { headers: undefined, payload: '', end: buffer.length }
      return
    }
    yield frame
    at = frame.end
  }
}

function frameAt(buffer: Buffer, at: number): FoundFrame | undefined {
  if (at + PRELUDE + CHECKSUM > buffer.length) return undefined
  const end = at + buffer.readUInt32BE(at)
  const headersEnd = at + PRELUDE + buffer.readUInt32BE(at + 4)
  if (end > buffer.length || headersEnd > end - CHECKSUM) return undefined
  const isRight = [PRELUDE, end - at].every((length) => {
    const place = at + length - CHECKSUM
    return crc32(buffer.subarray(at, place)) === buffer.readUInt32BE(place)
  })
  if (!isRight) return undefined
  const headers = buffer.toString('latin1', at + PRELUDE, headersEnd)
  return { headers, payload: buffer.toString('utf8', headersEnd, end - CHECKSUM), end }
}
