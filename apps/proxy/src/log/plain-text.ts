import { visibleText } from '@hydra/cli'

const MAX_LENGTH = 300

/** A text of foreign origin as it may appear in a log line: one line, no control characters, and not too long. */
export function plainText(text: string): string {
  // Line breaks would forge log lines, escape sequences and direction marks would hide what a line says.
  const oneLine = text.slice(0, MAX_LENGTH + 1).replaceAll(/[\r\n\t]+/g, ' ')
  const plain = visibleText(oneLine)
  const isCut = text.length > MAX_LENGTH || plain.length > MAX_LENGTH
  return isCut ? `${plain.slice(0, MAX_LENGTH).toWellFormed()}…` : plain
}
