/** About how many characters of text or bytes of JSON make a token, whatever the tokenizer. */
const CHARACTERS_PER_TOKEN = 4

/** About how many tokens something of this length has. */
export function estimateTokens(length: number): number {
  return Math.ceil(length / CHARACTERS_PER_TOKEN)
}
