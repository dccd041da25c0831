/** A word as a shell takes it for one. */
export function quotedWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
