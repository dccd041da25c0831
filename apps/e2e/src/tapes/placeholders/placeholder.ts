/** JSON spells these in more than one byte. They stay, so that a body is as long as it was, spelled or not. */
const ESCAPED = /["\\]|\p{Cc}/u

/**
 * A text that says nothing and takes as many bytes as another one, by itself and in JSON. The number tells texts
 * apart. Line ends and quotes are where they were.
 */
export function placeholderFor(text: string, number: number): string {
  const filler = `${String(number).padStart(4, '0')} placeholder text, `
  let place = 0
  let result = ''
  for (const character of text) {
    if (ESCAPED.test(character)) {
      result += character
      // Each line begins anew, so that it can be read.
      if (character === '\n') place = 0
      continue
    }
    for (let byte = 0; byte < Buffer.byteLength(character); byte += 1) {
      result += filler[place % filler.length]
      place += 1
    }
  }
  // What is trimmed on the way to an upstream must be the same before and after.
  return result.replace(/ +$/, (spaces) => '.'.repeat(spaces.length))
}
