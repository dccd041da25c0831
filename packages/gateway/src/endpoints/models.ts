import { HubError, type Caller } from '@hydra/core'
import type { GatewayOptions } from '../options.ts'

/** The list of models, in the form that its client knows. */
export function listModels<Native>({ client }: Caller, options: GatewayOptions<Native>): unknown {
  return client.encodeModels?.(modelNames(options))
}

/** One model by its name. */
export function showModel<Native>({ client, params }: Caller, options: GatewayOptions<Native>): unknown {
  const model = params['model'] ?? ''
  if (modelNames(options).includes(model)) return client.encodeModel?.(model)
  throw new HubError('not_found_error', `model: there is no '${model}' here`, { path: 'model' })
}

/** The names a client may ask for: those of the options, else what the routes say without wildcards. */
function modelNames<Native>({ models, routes }: GatewayOptions<Native>): readonly string[] {
  if (models !== undefined) return models
  const named = routes.flatMap((route) => [
    ...(route.match?.models ?? []),
    ...Object.keys(route.models ?? {}),
    ...(route.spoof === undefined ? [] : [route.spoof]),
    ...(route.model === undefined ? [] : [route.model]),
  ])
  return [...new Set(named.filter((name) => !name.includes('*')))]
}
