import { typedPath, UsageError } from '@hydra/cli'
import { dialectFor, HubError, spokenBy } from '@hydra/core'
import { profileOf, type Via } from '@hydra/tape'
import { PROVIDERS, readProvider } from '../settings/providers.ts'
import { type ExplainOptions, parseExplainOptions } from './explain-options.ts'
import { type Explanation, explain as explanationOf } from './explanation.ts'
import type { ExplainTarget } from './follow-blocks.ts'
import { explanationText } from './explanation-text.ts'
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
  const found = await readRequest(options)
  const { source, via } = found
  try {
    const decoded = found.decode()
    return explanationOf(decoded, targetOf(options, via, decoded.request.model), source)
  } catch (error) {
    // What a client would get as a 400.
    if (!(error instanceof HubError)) throw error
    const told = [`${source}: the request is refused: ${error.message}`, found.hint?.() ?? []]
    throw new UsageError(told.flat().join('; '))
  }
}

/** What was typed counts more than what the tape says. */
function targetOf(options: ExplainOptions, via: Via | undefined, asked: string): ExplainTarget {
  const model = options.model ?? via?.model ?? asked
  if (options.provider !== undefined || via === undefined) {
    const name = options.provider === undefined ? 'generic' : readProvider(options.provider)
    const provider = PROVIDERS[name]
    const dialect = dialectFor(provider, model)
    return { dialect, profile: spokenBy(provider, dialect).profile, model }
  }
  const { dialect } = via
  const profile = profileOf(via)
  if (typeof profile === 'string') throw new UsageError(`${profile}; choose one with --provider`)
  return { dialect, profile, model }
}
