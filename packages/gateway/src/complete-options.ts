import type { GatewayOptions, HydraOptions, RouteOptions, Upstream, UpstreamOptions } from './options.ts'
import { OptionsError } from './options-error.ts'
import { checkRoutes, namedRoutes } from './schema/check-routes.ts'
import { type Fault, faultAt, faultsOf } from './schema/fault.ts'
import { options as schema } from './schema/options.ts'
import { completeUpstream } from './upstream/complete-upstream.ts'

/** Checks the options of a gateway and fills in what they leave to it; a mistake is an `OptionsError`, now and not later. */
export function completeOptions<Native, Name extends string>(
  options: HydraOptions<Native, Name>,
): GatewayOptions<Native> {
  refuse(faultsOf(schema, options))
  const { model: _model, ...rest } = options
  const named: Readonly<Record<string, UpstreamOptions>> = options.upstreams
  const routes = routesOf(options, Object.keys(named))
  const upstreams = completeUpstreams(named, routes)
  refuse(checkRoutes(routes, upstreams))
  refuse(faultsOfMetrics(options))
  return {
    ...rest,
    upstreams,
    routes: namedRoutes(routes),
  }
}

function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new OptionsError(faults)
}

/** The routes; with one upstream nothing needs to be said about them. */
function routesOf(
  { routes, model }: HydraOptions<never>,
  upstreams: readonly string[],
): readonly RouteOptions[] {
  if (routes !== undefined) {
    if (model !== undefined) refuse([faultAt(['model'], 'routes say which model; leave out one of the two')])
    return routes
  }
  const [upstream] = upstreams
  if (upstream === undefined) refuse([faultAt(['upstreams'], 'expected at least one upstream')])
  if (upstream === undefined || upstreams.length > 1) {
    throw new OptionsError([
      faultAt(['routes'], `expected routes, because there are ${upstreams.length} upstreams`),
    ])
  }
  return [{ name: 'all', upstream, model }]
}

function completeUpstreams(
  named: Readonly<Record<string, UpstreamOptions>>,
  routes: readonly RouteOptions[],
): Readonly<Record<string, Upstream>> {
  const upstreams: Record<string, Upstream> = {}
  const faults: Fault[] = []
  for (const [name, upstream] of Object.entries(named)) {
    const completed = completeUpstream({ name, upstream, routes })
    if ('message' in completed) faults.push(completed)
    else upstreams[name] = completed
  }
  refuse(faults)
  return upstreams
}

/** Figures tell models, upstreams and money: a door that is open to everybody has none. */
function faultsOfMetrics({ metrics, guard, authorize }: HydraOptions<never>): readonly Fault[] {
  if (metrics === undefined) return []
  if (guard?.key !== undefined || guard?.hosts !== undefined || authorize !== undefined) return []
  return [faultAt(['metrics'], 'expected guard.key, guard.hosts or authorize, which keep strangers out')]
}
