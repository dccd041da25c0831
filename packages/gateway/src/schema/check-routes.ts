import { matchesPattern, registry } from '@hydra/core'
import { didYouMean } from '@hydra/core/did-you-mean'
import { faultAt, type Fault, type OptionPath } from './fault.ts'
import type { RouteOptions } from '../options.ts'
import type { Route, RouteMatch } from '../route/route.ts'

/** The upstreams that routes may lead to, with the dialect that each is called in. */
export type KnownUpstreams = Readonly<Record<string, { readonly dialect: string }>>

/** What is wrong with routes that no schema sees: names that there are not, and what would count for nothing. */
export function checkRoutes(routes: readonly RouteOptions[], upstreams: KnownUpstreams): readonly Fault[] {
  if (routes.length === 0) return [faultAt(['routes'], 'expected at least one route')]
  const all = routes.findIndex(takesEverything)
  const names = namedRoutes(routes).map(({ name }) => name)
  return routes.flatMap((route, index) => {
    const at = (path: OptionPath, message: string): Fault => faultAt(['routes', index, ...path], message)
    const fault = faultOfNames({ route, upstreams, at }) ?? faultOfUse({ route, upstreams, at })
    if (fault !== undefined) return [fault]
    if (all !== -1 && all < index) {
      return [at([], `it is never reached: routes.${all} has no match and takes everything`)]
    }
    const namesake = names.indexOf(names[index] ?? '')
    if (namesake < index) return [at(['name'], `routes.${namesake} has this name as well`)]
    const before = routes.slice(0, index).findIndex((earlier) => takesAllOf(earlier, route))
    return before === -1 ? [] : [at([], `it is never reached: routes.${before} takes all that it asks for`)]
  })
}

/** Whether every request that fits the later route fits the earlier one as well. */
function takesAllOf(
  { match, passthrough = false }: RouteOptions,
  { match: later = {} }: RouteOptions,
): boolean {
  if (match === undefined || passthrough) return false
  return (Object.keys(COVERS) as (keyof RouteMatch)[]).every((key) => isCovered(key, match, later))
}

/** How each condition is covered by an earlier one; it is as if equal where nothing is said. */
const COVERS: { readonly [Key in keyof RouteMatch]-?: Covers<NonNullable<RouteMatch[Key]>> } = {
  // A star is only met by a star: what a pattern matches as a text, it matches with all that this stands for.
  models: (earlier, later) => later.every((one) => earlier.some((pattern) => matchesPattern(pattern, one))),
  marker: isSame,
  header: (earlier, later) => JSON.stringify(earlier) === JSON.stringify(later),
  minBytes: (earlier, later) => earlier <= later,
  maxBytes: (earlier, later) => earlier >= later,
  hasTools: isSame,
  hasImages: isSame,
}

type Covers<Value> = (earlier: Value, later: Value) => boolean

function isSame(earlier: unknown, later: unknown): boolean {
  return earlier === later
}

function isCovered(key: keyof RouteMatch, match: RouteMatch, later: RouteMatch): boolean {
  const [one, other] = [match[key], later[key]]
  if (one === undefined) return true
  const covers = COVERS[key] as Covers<unknown>
  return other !== undefined && covers(one, other)
}

/** The routes with a name for each. */
export function namedRoutes(routes: readonly RouteOptions[]): readonly Route[] {
  return routes.map((route, index) => Object.assign({}, route, { name: route.name ?? `route ${index + 1}` }))
}

/** What passes unchanged is for clients of one dialect only; the others go on to the next route. */
function takesEverything({ match = {}, passthrough = false }: RouteOptions): boolean {
  return Object.values(match).every((wanted) => wanted === undefined) && !passthrough
}

interface CheckedRoute {
  readonly route: RouteOptions
  readonly upstreams: KnownUpstreams
  readonly at: (path: OptionPath, message: string) => Fault
}

function faultOfNames({ route, upstreams, at }: CheckedRoute): Fault | undefined {
  const names = [route, ...(route.fallbacks ?? [])].map(({ upstream }) => upstream)
  const number = names.findIndex((name) => !Object.hasOwn(upstreams, name))
  const unknown = names[number]
  if (unknown === undefined) return undefined
  const path = number === 0 ? ['upstream'] : ['fallbacks', number - 1, 'upstream']
  return at(path, unknownUpstream(unknown, upstreams))
}

/** The words for an upstream that there is not. */
export function unknownUpstream(name: string, upstreams: object): string {
  return [`there is no upstream '${name}'`, didYouMean(name, Object.keys(upstreams)) ?? []].flat().join('; ')
}

function faultOfUse(checked: CheckedRoute): Fault | undefined {
  const { route, at } = checked
  if (route.passthrough) return faultOfPassing(checked)
  if (route.model === undefined || route.models === undefined) return undefined
  return at(['models'], 'model counts for all; leave out one of the two')
}

const CHANGES = ['model', 'models', 'spoof', 'translate', 'fallbacks'] as const

/** Who passes requests on unchanged must be spoken to in the client's own dialect. */
function faultOfPassing({ route, upstreams, at }: CheckedRoute): Fault | undefined {
  const useless = CHANGES.find((key) => route[key] !== undefined)
  if (useless !== undefined) return at([useless], 'a route with passthrough changes nothing')
  if (registry.get(upstreams[route.upstream]?.dialect ?? '')?.client !== undefined) return undefined
  const names = registry.clients.map(({ name }) => name).join(', ')
  return at(['upstream'], `passthrough needs an upstream whose dialect clients speak: ${names}`)
}
