import type { GatewayOptions, Route, Upstream } from '@hydra/gateway'
import { gatewayOptionsOf } from './config-gateway.ts'
import { passthroughRoutes, passthroughUpstream } from './passthrough.ts'
import { said } from './said.ts'
import type { Sources } from './sources.ts'
import type { NamedTarget } from './target.ts'

/** What answers beside the configuration's own upstreams. */
export interface Answering {
  readonly target: NamedTarget | undefined
  readonly isDemo: boolean
}

/** The route of the built-in demo; its upstream is added when it runs. */
const DEMO_ROUTE: Route = { name: 'demo', upstream: 'demo', model: 'demo' }

/** The upstreams and routes: first what passes, then what was typed, then the configuration. */
export function routing(sources: Sources, { target, isDemo }: Answering): GatewayOptions {
  const { options, env, source } = sources
  const configured: GatewayOptions =
    source === undefined ? { upstreams: {}, routes: [] } : gatewayOptionsOf(source, env)
  const passing = passingOf(sources, freeName('anthropic-passthrough', configured.upstreams))
  const typed = typedOf(target, configured.upstreams)
  const translated = [...(isDemo ? [DEMO_ROUTE] : []), ...typed.routes, ...configured.routes]
  if (source !== undefined && translated.length === 0) {
    throw source.fault(['routes'], 'expected at least one route')
  }
  const spoof = said(['spoof', options.spoof], env, 'HYDRA_SPOOF_MODEL')?.value
  return {
    ...configured,
    upstreams: { ...configured.upstreams, ...passing.upstreams, ...typed.upstreams },
    routes: [...passing.routes, ...translated.map((route) => spoofed(route, spoof))],
  }
}

type Part = Pick<GatewayOptions, 'upstreams' | 'routes'>

function passingOf({ options, env }: Sources, name: string): Part {
  const routes = passthroughRoutes(options, env, name)
  return { routes, upstreams: routes.length === 0 ? {} : { [name]: passthroughUpstream(options, env) } }
}

function typedOf(target: NamedTarget | undefined, taken: Readonly<Record<string, Upstream>>): Part {
  if (target === undefined) return { routes: [], upstreams: {} }
  const name = freeName(target.provider, taken)
  return {
    routes: [{ name: target.provider, upstream: name, model: target.model }],
    upstreams: { [name]: target.upstream },
  }
}

/** Configured upstreams keep their names, whatever was typed. */
function freeName(wish: string, taken: Readonly<Record<string, Upstream>>): string {
  return Object.hasOwn(taken, wish) ? `${wish} (command line)` : wish
}

/** What passes through is told as it is; a route's own word counts more than the common one. */
function spoofed(route: Route, spoof: string | undefined): Route {
  return spoof === undefined || route.passthrough || route.spoof !== undefined ? route : { ...route, spoof }
}
