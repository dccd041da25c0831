import { HubError, matchesPattern } from '@hydra/core'
import type { DialectExchange } from '../exchange/exchange.ts'
import type { GatewayOptions } from '../options.ts'
import { pickRoute, type Route, targetsOf } from '../route/route.ts'

/** The list of models, in the form that its client knows. */
export function listModels<Native>(
  exchange: DialectExchange<Native>,
  options: GatewayOptions<Native>,
): unknown {
  const { client } = exchange.caller
  return client.encodeModels?.(namesFor(exchange, options), (model) => whoAnswers(model, options))
}

/** One model by its name. */
export function showModel<Native>(
  exchange: DialectExchange<Native>,
  options: GatewayOptions<Native>,
): unknown {
  const { client, params } = exchange.caller
  const model = params['model'] ?? ''
  if (namesFor(exchange, options).includes(model))
    return client.encodeModel?.(model, (name) => whoAnswers(name, options))
  throw new HubError('not_found_error', `model: there is no '${model}' here`, { path: 'model' })
}

/** What this client may ask for: a name on its list that is refused would only mislead it. */
function namesFor<Native>(
  { identity }: DialectExchange<Native>,
  options: GatewayOptions<Native>,
): readonly string[] {
  const names = modelNames(options)
  const allowed = identity?.models
  if (allowed === undefined) return names
  return names.filter((name) => allowed.some((pattern) => matchesPattern(pattern, name)))
}

/** Who answers a plain request for a model: one that is routed by anything else may go elsewhere. */
function whoAnswers<Native>(model: string, { routes }: GatewayOptions<Native>): string | undefined {
  const plain = { request: { model, messages: [] }, headers: {}, bytes: 0 }
  try {
    const route = pickRoute(routes, plain)
    if (route.passthrough === true) return `answered by ${route.upstream}, unchanged`
    const targets = targetsOf(route, model).map((target) => `${target.upstream} ${target.model}`)
    return `answered by ${targets.join(', then ')}`
  } catch {
    return undefined
  }
}

/**
 * The names a client may ask for: those of the options, else what the routes say without wildcards. Those that pass
 * through come last: only clients of one dialect and with credentials of their own can use them.
 */
export function modelNames<Native>({ models, routes }: GatewayOptions<Native>): readonly string[] {
  if (models !== undefined) return models
  const passing = routes.filter(({ passthrough }) => passthrough)
  const others = routes.filter(({ passthrough }) => !passthrough)
  const named = [...others, ...passing].flatMap((route) => namesOf(route))
  return [...new Set(named.filter((name) => !name.includes('*')))]
}

function namesOf({ match, models = {}, spoof, model }: Route): string[] {
  const names = [...(match?.models ?? []), ...Object.keys(models), spoof, model]
  return names.filter((name) => name !== undefined)
}
