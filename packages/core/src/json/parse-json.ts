import { invalidRequest } from '../hub/error.ts'

/**
 * Parses the body of a request; what is no JSON is an `invalid_request_error`.
 * Nesting is not looked at here: parsing is safe at any depth, and decoders name the field that nests too deep.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidRequest('', `expected JSON, got ${reasonOf(text, error)}`)
  }
}

function reasonOf(text: string, error: unknown): string {
  if (text.trim() === '') return 'an empty body'
  // Only the place is taken from the engine's words: the rest quotes the body, which may hold secrets.
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined
  return position === undefined ? 'a body that is no JSON' : `a body that is no JSON at position ${position}`
}
