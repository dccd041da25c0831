import { UsageError } from '@hydra/cli'
import { type RouteOptions, Secret } from '@hydra/gateway'
import { type Budget, type ClientKey, DOLLAR, faultOfStore } from '@hydra/team'
import type { ConfiguredBudget, ConfiguredKey, ConfiguredTeam } from '../config/config.ts'
import { readSecret } from '../config/read-secret.ts'
import { optionOrVariable, type Sources } from '../settings/options.ts'
import { checkKeys } from './check-keys.ts'

/** How a proxy serves a team. */
export interface TeamSettings extends ConfiguredTeam {
  /** The address of the store; it may hold a password. */
  readonly store: string
  /** Keys that the configuration names. */
  readonly keys: readonly ClientKey[]
}

/** What serves a team: a store, or keys of single clients. Without either nothing is counted. */
export function teamSettingsOf(sources: Sources, routes: readonly RouteOptions[]): TeamSettings | undefined {
  const { keys, team = {} } = sources.source?.config ?? {}
  const store = storeAddress(sources)
  if (store === undefined && keys === undefined) return undefined
  if (sources.source !== undefined) checkKeys(sources.source, routes)
  return {
    ...team,
    store: store ?? 'memory',
    keys: (keys ?? []).map((key, index) => keyOf(key, index, sources)),
  }
}

function faultAt({ source }: Sources, path: readonly (string | number)[], words: string): UsageError {
  return source?.fault(path, words) ?? new UsageError(words)
}

/** The address of the store, if one is set. */
export function storeAddress(sources: Sources): string | undefined {
  const typed = optionOrVariable('store', sources)
  const address = typed?.value ?? sources.source?.config.store
  if (address === undefined) return undefined
  const value = address.startsWith('env:') ? readSecret(address, sources.env) : new Secret(address)
  const fault = typeof value === 'string' ? value : faultOfStore(value.reveal())
  if (typeof value !== 'string' && fault === undefined) return value.reveal()
  throw faultIn(fault ?? 'expected an address', sources)
}

/** A fault of the store's address, where it was written. */
function faultIn(words: string, sources: Sources): UsageError {
  const typed = optionOrVariable('store', sources)
  if (typed !== undefined) return new UsageError(`${typed.name}: ${words}`)
  return faultAt(sources, ['store'], words)
}

function keyOf(key: ConfiguredKey, index: number, sources: Sources): ClientKey {
  const { requestsPerMinute, tokensPerMinute, streams, budgets, id, ...rest } = key
  const limits = {
    requestsPerMinute,
    tokensPerMinute,
    streams,
    budgets: budgets?.map((budget, number) => {
      const found = budgetOf(budget)
      if (found !== undefined) return found
      throw faultAt(sources, ['keys', index, 'budgets', number], 'expected either tokens or dollars')
    }),
  }
  return { ...rest, id: id ?? key.name, limits }
}

function budgetOf({ per, tokens, dollars }: ConfiguredBudget): Budget | undefined {
  if ((tokens === undefined) === (dollars === undefined)) return undefined
  if (tokens !== undefined) return { per, unit: 'tokens', limit: tokens }
  return { per, unit: 'money', limit: Math.round((dollars ?? 0) * DOLLAR) }
}
