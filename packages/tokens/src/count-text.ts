import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base'

// Merging byte pairs is quadratic in the length of what the tokenizer takes for one word, and a text can be
// made in many ways to look like one word; so it never gets to see more than this at once.
const PIECE_LENGTH = 256
const MAX_RUN_LENGTH = 4096
const SAMPLES = 16

// No name is disallowed, so that `<|endoftext|>` in a text is text.
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

/** The o200k tokens of a text; runs of thousands of characters without a break, such as base64, are estimated. */
export function countText(text: string): number {
  let total = 0
  let start = 0
  while (start < text.length) {
    const end = endOfPiece(text, start)
    const piece = text.slice(start, end)
    total += piece.length > MAX_RUN_LENGTH ? estimate(piece) : countExactly(piece, PLAIN_TEXT)
    start = end
  }
  return total
}

/** Where to cut: before a space, which a token never has inside but in front; a long run stays whole. */
function endOfPiece(text: string, start: number): number {
  if (text.length - start <= PIECE_LENGTH) return text.length
  const lastSpace = text.slice(start, start + PIECE_LENGTH).lastIndexOf(' ')
  if (lastSpace > 0) return start + lastSpace
  const end = endOfRun(text, start)
  return end - start > MAX_RUN_LENGTH ? end : start + PIECE_LENGTH
}

function endOfRun(text: string, start: number): number {
  const breaks = /[ \n]/g
  breaks.lastIndex = start + 1
  return breaks.exec(text)?.index ?? text.length
}

function estimate(run: string): number {
  let total = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = Math.floor((sample * run.length) / SAMPLES)
    total += countExactly(run.slice(start, start + PIECE_LENGTH), PLAIN_TEXT)
  }
  return Math.ceil((total * run.length) / (SAMPLES * PIECE_LENGTH))
}
