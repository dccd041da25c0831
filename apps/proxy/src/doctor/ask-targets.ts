import type { GatewayOptions, Route, Upstream } from '@hydra/gateway'
import { startServer } from '../serve/server.ts'
import type { Settings } from '../settings/read-settings.ts'
import { askModel } from './ask-model.ts'
import { type Finding, odd, waiting } from './finding.ts'
import { adviceOnVersion, checkModelList } from './list-models.ts'

/** One model at one upstream. */
interface Target {
  readonly upstream: string
  readonly model: string | undefined
}

const PATIENCE = 60_000
const UNAUTHORIZED = 401
const NOT_FOUND = 404

/** Sends one small request to each model that a route names, all the way, as a client would. */
export async function* askTargets(settings: Settings): AsyncGenerator<Finding> {
  const targets = targetsOf(settings.gateway)
  const server = await startServer(doctored(settings, targets), { exchange() {}, problem() {} })
  try {
    for (const [index, { upstream, model }] of targets.entries()) {
      if (model === undefined) {
        yield odd(`upstream ${upstream}: not asked, because no route names a model for it`)
        continue
      }
      const asked = { url: server.url, model: nameOf(index), key: settings.gateway.guard?.key }
      const name = `${model} at ${upstream}`
      yield waiting(`${name}: waiting for an answer`)
      const at = settings.gateway.upstreams[upstream]
      if (at !== undefined) yield* checkModelList(at, model, name)
      yield* askModel({ ...asked, advise: (status) => adviceOn(status, at) }, name)
    }
  } finally {
    await server.drain(0)
  }
}

/** What is known of an upstream that explains a status. */
async function adviceOn(status: number, upstream: Upstream | undefined): Promise<string | undefined> {
  if (upstream === undefined) return undefined
  if (status === NOT_FOUND) return adviceOnVersion(upstream)
  const isKeyless = upstream.key === undefined && upstream.keys === undefined
  return status === UNAUTHORIZED && isKeyless ? 'No key is set: set the variable of its key.' : undefined
}

/** One route per model, no second try, and not longer than a person waits. */
function doctored(settings: Settings, targets: readonly Target[]): Settings {
  const routes = targets.map(({ upstream, model }, index) => ({
    name: nameOf(index),
    match: { models: [nameOf(index)] },
    upstream,
    model,
  }))
  const timeouts = { ...settings.gateway.timeouts, firstByte: PATIENCE }
  const { key, origins } = settings.gateway.guard ?? {}
  const gateway = { ...settings.gateway, guard: { key, origins }, routes, timeouts, retries: { times: 0 } }
  // Whoever asks here is no client of the team: it has no key, and what it uses is nobody's.
  return { ...settings, host: '127.0.0.1', port: 0, gateway, team: undefined }
}

function nameOf(index: number): string {
  return `claude-doctor-${index}`
}

function targetsOf({ routes }: GatewayOptions): Target[] {
  const targets = routes.filter((route) => !route.passthrough).flatMap(targetsOfRoute)
  return [...new Map(targets.map((target) => [JSON.stringify(target), target])).values()]
}

function targetsOfRoute(route: Route): Target[] {
  const plain = route.match?.models?.find((name) => !name.includes('*'))
  const model = route.model ?? Object.values(route.models ?? {})[0] ?? plain
  const fallbacks = (route.fallbacks ?? []).map((target) => ({
    upstream: target.upstream,
    model: target.model ?? model,
  }))
  return [{ upstream: route.upstream, model }, ...fallbacks]
}
