/** Longer texts are decoded in one go; for shorter ones the call alone takes longer than this. */
export const MAX_SHORT = 24

/** The text of a few bytes that are all ASCII. */
export function shortText(bytes: Uint8Array, begin: number, end: number): string {
  let text = ''
  let at = begin
  for (; at + 4 <= end; at += 4) {
    text += String.fromCharCode(
      bytes[at] as number,
      bytes[at + 1] as number,
      bytes[at + 2] as number,
      bytes[at + 3] as number,
    )
  }
  for (; at < end; at += 1) text += String.fromCharCode(bytes[at] as number)
  return text
}
