/** A text as it is inside of a JSON string, without its escapes. */
export function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}
