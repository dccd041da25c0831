import { typedPath, UsageError } from '@hydra/cli'
import { anthropic, HubError, profiles } from '@hydra/core'
import { profileOf, type Via } from '@hydra/tape'
import { readProvider } from '../settings/providers.ts'
import { type ExplainOptions, parseExplainOptions } from './explain-options.ts'
import { type Explanation, explain as explanationOf } from './explanation.ts'
import type { ExplainTarget } from './follow-blocks.ts'
import { explanationText } from './explanation-text.ts'
import { dialectNamed } from './output-places.ts'
import { readRequest } from './read-request.ts'

/** `hydra explain`: shows how a request is translated, block by block. */
export async function explain(args: readonly string[]): Promise<number> {
  const options = parseExplainOptions(args)
  const file = options.file === '-' ? '-' : typedPath(options.file, process.env)
  const explanation = await explainFile({ ...options, file })
  process.stdout.write(
    options.json ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation),
  )
  return 0
}

/** The account of the request that a file holds. */
export async function explainFile(options: ExplainOptions): Promise<Explanation> {
  const { body, source, via } = await readRequest(options.file, options.exchange)
  try {
    const decoded = anthropic.client.decodeRequest({ body })
    return explanationOf(decoded, targetOf(options, via, decoded.request.model), source)
  } catch (error) {
    // What a client would be told as a 400.
    if (error instanceof HubError) throw new UsageError(`${source}: the request is refused: ${error.message}`)
    throw error
  }
}

/** What was typed counts more than what the tape says. */
function targetOf(options: ExplainOptions, via: Via | undefined, asked: string): ExplainTarget {
  const model = options.model ?? via?.model ?? asked
  if (options.provider !== undefined || via === undefined) {
    const name = options.provider === undefined ? 'generic' : readProvider(options.provider)
    return { dialect: dialectNamed(name), profile: profiles[name], model }
  }
  const { dialect } = via
  const profile = profileOf(
    via.profile === undefined && dialect === 'anthropic' ? { ...via, profile: 'anthropic' } : via,
  )
  if (typeof profile === 'string') throw new UsageError(`${profile}; choose one with --provider`)
  return { dialect, profile, model }
}
