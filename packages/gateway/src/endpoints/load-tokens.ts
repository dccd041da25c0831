import { HubError } from '@hydra/core'
import type { countTokens } from '@hydra/tokens'

/** What is used of `@hydra/tokens`. */
export interface Tokens {
  readonly countTokens: typeof countTokens
}

/** Loads the tokenizer, which is an optional peer: its vocabulary takes 28 MB, and few servers are asked for counts. */
export async function loadTokens(load: () => Promise<Tokens> = importTokens): Promise<Tokens> {
  try {
    return await load()
  } catch (cause) {
    // An estimate in its place would look like a count. The cause names folders of this machine, so it stays here.
    throw new HubError('api_error', `tokens cannot be counted here: ${wordsFor(cause)}`, {
      status: 501,
      cause,
    })
  }
}

// The package is named in the call itself, so that a bundler finds it.
function importTokens(): Promise<Tokens> {
  return import('@hydra/tokens')
}

function wordsFor(cause: unknown): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
  // Node says the same of a package that is there and lacks one of its own.
  if (isMissing) return '@hydra/tokens is not installed, or not as a whole (npm install @hydra/tokens)'
  return '@hydra/tokens is installed and could not be loaded'
}
