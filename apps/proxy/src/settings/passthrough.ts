import { profiles } from '@hydra/core'
import { LEAD_MARKER, type Route, type RouteMatch, type Upstream } from '@hydra/gateway'
import type { CliOptions } from '../cli/options.ts'
import { UsageError } from '../cli/usage-error.ts'
import type { Environment } from './environment.ts'
import { said } from './said.ts'
import { checkedAddress } from './target.ts'

/** The upstream of requests that pass unchanged; it has no key, because the client brings its own. */
export function passthroughUpstream(options: CliOptions, env: Environment): Upstream {
  const url = said(['anthropic-url', options['anthropic-url']], env, 'HYDRA_ANTHROPIC_URL')
  return {
    dialect: 'anthropic',
    url: url === undefined ? 'https://api.anthropic.com' : checkedAddress(url),
    profile: profiles.anthropic,
  }
}

/** `lead` passes the leading agent's requests, `*` every Claude model, a name that model; commas separate them. */
export function passthroughRoutes(options: CliOptions, env: Environment, upstream: string): Route[] {
  const wish = said(['passthrough', options.passthrough], env, 'HYDRA_PASSTHROUGH')
  if (wish === undefined) {
    // A variable may stand ready for other days; what was typed is meant now.
    if (options['anthropic-url'] === undefined) return []
    throw new UsageError('--anthropic-url: nothing goes there without --passthrough')
  }
  const words = wish.value.split(',').map((word) => word.trim())
  if (words.includes('')) {
    throw new UsageError(`${wish.name} ${wish.value}: expected lead, * or model names, got an empty one`)
  }
  const misspelt = words.find((word) => word !== 'lead' && word.toLowerCase() === 'lead')
  if (misspelt !== undefined) {
    throw new UsageError(`${wish.name} ${wish.value}: expected lead in small letters, got ${misspelt}`)
  }
  const models = words.filter((word) => word !== 'lead').map((word) => (word === '*' ? 'claude-*' : word))
  const matches: RouteMatch[] = [
    ...(words.includes('lead') ? [{ marker: LEAD_MARKER }] : []),
    ...(models.length > 0 ? [{ models }] : []),
  ]
  return matches.map((match) => ({ name: 'passthrough', match, upstream, passthrough: true }))
}
