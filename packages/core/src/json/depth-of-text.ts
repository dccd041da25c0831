const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Whether JSON text nests deeper than `max`, without parsing it. */
export function exceedsDepth(text: string, max: number): boolean {
  if (text.length <= max) return false
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index)
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth++
        if (depth > max) return true
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--
        break
      default:
    }
  }
  return false
}

/** The index of the quote that ends the string begun at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

// The quote that opens the string is no backslash, so the walk back always ends within the string.
function isEscaped(text: string, index: number): boolean {
  let start = index
  while (text.charCodeAt(start - 1) === BACKSLASH) start--
  return (index - start) % 2 === 1
}
