import type { DecodeContext } from '../dialect.ts'

/** Reads an answer that came in one body. */
export function decodeResponse(_body: unknown, _context: DecodeContext): void {
  throw new Error('openai-responses: answers are not decoded yet')
}
