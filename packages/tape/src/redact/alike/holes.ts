/** What may stand at a place where alike events differ: a string of JSON without its quotes, a number, or blanks. */
export type HoleKind = 'string' | 'number' | 'blanks'

const BLANK = 0x20
const QUOTE = 0x22
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c

/** The characters that numbers of JSON are made of. */
const IN_NUMBER = new Uint8Array(256)
for (const character of '0123456789.eE+-') IN_NUMBER[character.charCodeAt(0)] = 1

/** Whether a number of JSON can go on with a character. */
export function isInNumber(code: number): boolean {
  return IN_NUMBER[code] === 1
}

/** Whether a character is a digit. */
export function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

/** Where what fills a hole ends; -1 if a string is not closed before a place. */
export function endOfHole(bytes: Uint8Array, from: number, to: number, kind: HoleKind): number {
  if (kind === 'string') return endOfString(bytes, from, to)
  let at = from
  if (kind === 'number') while (at < to && IN_NUMBER[bytes[at] ?? 0] === 1) at += 1
  else while (at < to && bytes[at] === BLANK) at += 1
  return at
}

function endOfString(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
    else if (byte < BLANK) return -1
  }
  return -1
}
