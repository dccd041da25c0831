/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** A pattern that matches a text and nothing else, also no longer one. */
export function exactPattern(text: string): string {
  return `^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`
}
