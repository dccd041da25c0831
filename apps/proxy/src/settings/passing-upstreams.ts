import type { GatewayOptions } from '@hydra/gateway'

/** The names of the upstreams that requests pass to unchanged, with the credentials of the client. */
export function passingUpstreams({ routes }: GatewayOptions): ReadonlySet<string> {
  return new Set(routes.filter((route) => route.passthrough).map(({ upstream }) => upstream))
}
