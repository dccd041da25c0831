import { HubError } from '@hydra/core'
import type { Demand } from '@hydra/gateway'

/** The model that is called, and where. */
export interface PricedModel {
  readonly model: string
  readonly upstream: string
}

/** What a request may cost in dollars, whichever of its targets answers, or which of them has no price. */
export function dearestOf(
  demand: Demand,
  priceOf: (model: PricedModel) => number | undefined,
): number | HubError {
  let dearest = 0
  for (const { upstreamModel, upstream } of [demand, ...(demand.fallbacks ?? [])]) {
    const dollars = priceOf({ model: upstreamModel, upstream })
    if (dollars === undefined) return unknownPrice(upstreamModel, upstream)
    dearest = Math.max(dearest, dollars)
  }
  return dearest
}

/** A budget in dollars cannot be kept where nobody knows what a call costs. */
function unknownPrice(model: string, upstream: string): HubError {
  return new HubError(
    'permission_error',
    `this key has a budget in dollars, and no price is known for ${model} at the upstream ${upstream}`,
  )
}
