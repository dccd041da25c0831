import type { UpstreamEnd } from './upstream-end.ts'

/** Before the headers: two lengths and a checksum. Behind the payload: another checksum. */
const PRELUDE = 12
const CHECKSUM = 4

/** Events that are a part of an answer. */
const CONTENT = /assistantResponseEvent|reasoningContentEvent|toolUseEvent/

/** Finds the event that ends an answer of frames; what follows it may take the end back. */
export function endOfFrames(bytes: Uint8Array): UpstreamEnd {
  let at = Infinity
  for (const { headers, end } of framesIn(bytes)) {
    if (CONTENT.test(headers) && at !== Infinity) return { at, isFollowed: true }
    if (headers.includes('metadataEvent') && at === Infinity) at = end
  }
  return { at, isFollowed: false }
}

interface FoundFrame {
  /** As they are: names and values with their lengths between them. */
  readonly headers: string
  /** After how many bytes the frame was there. */
  readonly end: number
}

/** The whole frames of a body, by their lengths alone: changed bytes are for others to find. */
function* framesIn(bytes: Uint8Array): Generator<FoundFrame> {
  const buffer = Buffer.from(bytes)
  let at = 0
  while (at + PRELUDE + CHECKSUM <= buffer.length) {
    const end = at + buffer.readUInt32BE(at)
    if (end > buffer.length || end < at + PRELUDE + CHECKSUM) return
    const headers = buffer.toString('latin1', at + PRELUDE, at + PRELUDE + buffer.readUInt32BE(at + 4))
    yield { headers, end }
    at = end
  }
}
