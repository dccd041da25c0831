const LONGEST = 300

/** A text of foreign origin as it may stand in a line of a terminal: no control characters, and not too long. */
export function plainText(text: string): string {
  // Line breaks would forge log lines, escape sequences and direction marks would hide what a line says.
  const plain = text.slice(0, LONGEST + 1).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain
}
