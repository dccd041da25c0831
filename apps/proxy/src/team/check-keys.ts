import { matchesPattern } from '@hydra/core'
import { didYouMean } from '@hydra/core/did-you-mean'
import type { RouteOptions } from '@hydra/gateway'
import { namedRoutes } from '@hydra/gateway/schema'
import type { ConfiguredKey } from '../config/config.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { timeOfDate } from './time-of-date.ts'

/** What two keys must not have in common: the use of one would count for the other. */
const UNIQUE = ['name', 'hash'] as const

/** Refuses keys of a configuration that only together, or with its routes, make no sense. */
export function checkKeys(source: ConfigFile, routes: readonly RouteOptions[]): void {
  const { keys = [], routes: own = [] } = source.config
  const names = namedRoutes([...routes, ...own]).map(({ name }) => name)
  for (const [index, key] of keys.entries()) {
    const fault = doubleOf(key, keys.slice(0, index)) ?? wrongDate(key) ?? unknownRoute(key, names)
    if (fault !== undefined) throw source.fault(['keys', index, ...fault.path], fault.words)
  }
}

interface KeyFault {
  readonly path: readonly (string | number)[]
  readonly words: string
}

function doubleOf(key: ConfiguredKey, before: readonly ConfiguredKey[]): KeyFault | undefined {
  for (const field of UNIQUE) {
    const other = before.findIndex((one) => one[field] === key[field])
    if (other !== -1) return { path: [field], words: `keys.${other} has the same ${field}` }
  }
  return undefined
}

function wrongDate({ expires }: ConfiguredKey): KeyFault | undefined {
  if (expires === undefined || !Number.isNaN(timeOfDate(expires))) return undefined
  return { path: ['expires'], words: 'there is no such date' }
}

/** A misspelt route would refuse all that the key is for. */
function unknownRoute({ routes = [] }: ConfiguredKey, names: readonly string[]): KeyFault | undefined {
  const at = routes.findIndex((pattern) => !names.some((name) => matchesPattern(pattern, name)))
  const pattern = routes[at]
  if (pattern === undefined) return undefined
  const words = [`there is no route '${pattern}'`, didYouMean(pattern, names) ?? []].flat().join('; ')
  return { path: ['routes', at], words }
}
