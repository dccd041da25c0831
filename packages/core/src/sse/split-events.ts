const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Splits the bytes of an event stream after the blank line that ends each event.
 * The pieces put together are the bytes again; what follows the last blank line is the last piece.
 */
export function splitEvents(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let start = 0
  for (const end of endsOfEvents(bytes)) {
    pieces.push(bytes.subarray(start, end))
    start = end
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start))
  return pieces
}

/** Lines may end in a line feed, a carriage return or both, as the standard says. */
function* endsOfEvents(bytes: Uint8Array): Generator<number> {
  let lineStart = 0
  let hasContent = false
  for (let index = 0; index < bytes.length;) {
    const width = lineEndWidth(bytes, index)
    if (width === 0) {
      index += 1
      continue
    }
    const isBlank = index === lineStart
    index += width
    lineStart = index
    if (isBlank && hasContent) yield index
    hasContent = !isBlank
  }
}

function lineEndWidth(bytes: Uint8Array, index: number): number {
  if (bytes[index] === LINE_FEED) return 1
  if (bytes[index] !== CARRIAGE_RETURN) return 0
  return bytes[index + 1] === LINE_FEED ? 2 : 1
}
