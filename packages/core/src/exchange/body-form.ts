/** What the body of an answer is. */
export type BodyForm = 'unknown' | 'events' | 'whole'

const SPACE = 0x20
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf])

/** What a body is, by its first visible byte: no line of an event stream begins with a bracket. */
export function formOf(bytes: Uint8Array): BodyForm {
  const first = bytes.find((byte) => byte > SPACE && !BYTE_ORDER_MARK.has(byte))
  if (first === undefined) return 'unknown'
  return first === OPENING_BRACE || first === OPENING_BRACKET ? 'whole' : 'events'
}
