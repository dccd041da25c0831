import { UsageError } from '@hydra/cli'
import { anthropic, type ProfileName, providers, spokenBy } from '@hydra/core'
import {
  type GatewayOptions,
  LEAD_MARKER,
  type Route,
  type RouteMatch,
  Secret,
  type Upstream,
} from '@hydra/gateway'
import { checkedAddress } from './address.ts'
import { gatewayOptionsOf } from './config-gateway.ts'
import { type NamedValue, optionOrVariable, type Sources, variable } from './options.ts'
import { dialectFor, PROVIDERS, readProvider, spokenIn } from './providers.ts'

/** The upstreams and routes, and whether the built-in demo answers. */
export interface Routing {
  readonly gateway: GatewayOptions
  readonly isDemo: boolean
}

/** The route of the built-in demo; its upstream is added when it runs. */
const DEMO_ROUTE: Route = { name: 'demo', upstream: 'demo', model: 'demo', translate: 'always' }

/** Reads the upstreams and routes: first what passes, then what was typed, then the configuration. */
export function readRouting(sources: Sources): Routing {
  const { env, source } = sources
  const target = readTarget(sources)
  const isDemo = source?.config.upstreams === undefined && target === undefined
  const configured: GatewayOptions =
    source === undefined ? { upstreams: {}, routes: [] } : gatewayOptionsOf(source, env)
  const passing = passingPart(sources, freeName('anthropic-passthrough', configured.upstreams))
  const typed = typedPart(target, configured.upstreams)
  // What was typed takes everything, so that the routes of the configuration are never reached.
  const reached = isDemo || typed.routes.length > 0 ? [] : configured.routes
  const translated = [...(isDemo ? [DEMO_ROUTE] : []), ...typed.routes, ...reached]
  if (source !== undefined && translated.length === 0) {
    throw source.fault(['routes'], 'expected at least one route')
  }
  const spoof = optionOrVariable('spoof', sources)?.value
  const gateway = {
    ...configured,
    upstreams: { ...configured.upstreams, ...passing.upstreams, ...typed.upstreams },
    routes: [...passing.routes, ...translated.map((route) => spoofed(route, spoof))],
  }
  return { gateway, isDemo }
}

type Part = Pick<GatewayOptions, 'upstreams' | 'routes'>

/** The one model that the command line or the environment names. */
interface NamedTarget {
  readonly upstream: Upstream
  readonly provider: ProfileName
  readonly model: string
}

function readTarget(sources: Sources): NamedTarget | undefined {
  const url = optionOrVariable('target-url', sources)
  const named = optionOrVariable('provider', sources)
  const model = optionOrVariable('model', sources)
  const isNamed = (url ?? named ?? model) !== undefined
  const provider = named === undefined ? 'openai' : readProvider(named)
  const key = targetKey({ provider, url }, sources)
  // A configuration with upstreams may use the same variable: a key alone does not ask for another target then.
  const hasUpstreams = sources.source?.config.upstreams !== undefined
  if (!isNamed && (key === undefined || hasUpstreams)) return undefined
  const address = addressFor(provider, url)
  expectKey({ provider, url }, key)
  if (model === undefined) throw new UsageError(whichModel(provider, isNamed ? undefined : key))
  const dialect = dialectFor(provider, address, model.value)
  const upstream = {
    dialect,
    url: address,
    key: key === undefined ? undefined : new Secret(key.value),
    profile: spokenIn(provider, dialect).profile,
  } as const
  return { provider, model: model.value, upstream }
}

function whichModel(provider: ProfileName, onlyKey: NamedValue | undefined): string {
  if (onlyKey === undefined) return `which model of ${provider}? Add --model NAME`
  return `${onlyKey.name} is set, but which model of ${provider}? Add --model NAME, or unset the key to see the demo`
}

interface TypedTarget {
  readonly provider: ProfileName
  readonly url: NamedValue | undefined
}

/** Providers in the network want their key; an address that was typed may do without. */
function expectKey({ provider, url }: TypedTarget, key: NamedValue | undefined): void {
  const { keyVariable } = PROVIDERS[provider]
  if (key !== undefined || keyVariable === undefined || url !== undefined) return
  throw new UsageError(`the provider ${provider} needs a key: set ${keyVariable}`)
}

function addressFor(provider: ProfileName, url: NamedValue | undefined): string {
  if (url !== undefined) return checkedAddress(url)
  const own = PROVIDERS[provider].url
  if (own !== undefined) return own
  throw new UsageError(`the provider ${provider} has no address of its own: add --target-url URL`)
}

/**
 * A key goes to its own provider and to an address that was typed for it.
 * Servers without a variable of their own take OpenAI's, but only at an address that was typed.
 */
function targetKey({ provider, url }: TypedTarget, { env }: Sources): NamedValue | undefined {
  const name = PROVIDERS[provider].keyVariable ?? (url === undefined ? undefined : 'OPENAI_API_KEY')
  return name === undefined ? undefined : variable(name, env)
}

function typedPart(target: NamedTarget | undefined, taken: Readonly<Record<string, Upstream>>): Part {
  if (target === undefined) return { routes: [], upstreams: {} }
  const name = freeName(target.provider, taken)
  return {
    routes: [{ name: target.provider, upstream: name, model: target.model }],
    upstreams: { [name]: target.upstream },
  }
}

function passingPart(sources: Sources, name: string): Part {
  const routes = passthroughMatches(sources).map((match): Route => ({
    name: 'passthrough',
    match,
    upstream: name,
    passthrough: true,
  }))
  return { routes, upstreams: routes.length === 0 ? {} : { [name]: passthroughUpstream(sources) } }
}

/** The upstream of requests that pass unchanged; it has no key, because the client brings its own. */
function passthroughUpstream(sources: Sources): Upstream {
  const url = optionOrVariable('anthropic-url', sources)
  const { dialect, profile, url: own = '' } = spokenBy(providers.anthropic, anthropic.name)
  return { dialect, url: url === undefined ? own : checkedAddress(url), profile }
}

/** `lead` passes the leading agent's requests, `*` every Claude model, a name that model; commas separate them. */
function passthroughMatches(sources: Sources): RouteMatch[] {
  const wish = optionOrVariable('passthrough', sources)
  if (wish === undefined) {
    // A variable may be set for other days; what was typed is meant now.
    if (sources.options['anthropic-url'] === undefined) return []
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
  return [
    ...(words.includes('lead') ? [{ marker: LEAD_MARKER }] : []),
    ...(models.length > 0 ? [{ models }] : []),
  ]
}

/** Configured upstreams keep their names, whatever was typed. */
function freeName(wish: string, taken: Readonly<Record<string, Upstream>>): string {
  return Object.hasOwn(taken, wish) ? `${wish} (command line)` : wish
}

/** What passes through keeps its name; a route's own name for the client counts more than the common one. */
function spoofed(route: Route, spoof: string | undefined): Route {
  return spoof === undefined || route.passthrough || route.spoof !== undefined ? route : { ...route, spoof }
}
