import type { JsonScanner } from '../stream/json-scanner.ts'
import type { TextRun } from './text-run.ts'

const BACKSLASH = 0x5c

/** What each byte stands for, and what a backslash makes of it. */
const CHARACTERS = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
const ESCAPED: readonly string[] = CHARACTERS.map((letter) =>
  '"\\bfnrt'.includes(letter) ? (JSON.parse(`"\\${letter}"`) as string) : letter,
)

/**
 * Follows the JSON that the texts of a run are pieces of. Inside of its strings nothing counts but what is escaped in
 * the text: quotes and backslashes, and line breaks, which are no JSON there.
 */
export function scanRun(scanner: JsonScanner, run: TextRun): void {
  if (run.isPlain && scanner.isInString) return
  for (let index = 0; index < run.count; index += 1) {
    scanText(scanner, run, index)
  }
}

/** What is outside of a string is ASCII or no JSON, so there each byte is taken for a character. */
function scanText(scanner: JsonScanner, run: TextRun, index: number): void {
  const { bytes } = run
  const end = run.endAt(index)
  for (let at = run.beginAt(index); at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      at += 1
      scanner.push(ESCAPED[bytes[at] as number] as string)
    } else if (!scanner.isInString) {
      scanner.push(CHARACTERS[byte] as string)
    }
  }
}
