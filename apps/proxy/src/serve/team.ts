import { type Prices, usageOf } from '@hydra/core'
import { type GatewayInspector, type GatewayOptions, isForInspector, type Secret } from '@hydra/gateway'
import { createTeam, type PriceOf, type Team, type TeamChange } from '@hydra/team'
import type { Settings } from '../settings/read-settings.ts'
import { openTeamStore } from '../team/open-team-store.ts'

/** Begins to count what the clients of a team use, if they have keys of their own. */
export async function startTeam(
  settings: Settings,
  prices: Prices | undefined,
  onProblem: (message: string) => void,
): Promise<Team | undefined> {
  const { team } = settings
  if (team === undefined) return undefined
  const store = await openTeamStore(team.store)
  const { lease, replicas, budgetsWithoutStore } = team
  return createTeam({
    store,
    lease,
    replicas,
    budgetsWithoutStore,
    onProblem,
    ...teamChange(settings, prices),
  })
}

/** What may change of a team while it is served. */
export function teamChange({ team, gateway }: Settings, prices: Prices | undefined): TeamChange {
  return {
    keys: team?.keys,
    sharedKey: gateway.guard?.key,
    priceOf: prices && pricesFor(gateway, prices),
  }
}

/** The gateway of a team: the keys are looked at by its hooks, and the guard keeps to hosts and origins. */
export function withTeam(options: GatewayOptions, team: Team | undefined): GatewayOptions {
  if (team === undefined) return options
  const { key, ...guard } = options.guard ?? {}
  const { limiter, rests, memory } = team
  const authorize: GatewayOptions['authorize'] = (info) =>
    key !== undefined && isForInspector(info.path) ? true : team.authorize(info)
  return { ...options, guard, authorize, limiter, rests, ...(memory && { memory }) }
}

/** The inspector of a team: it asks for the key that all share, which no client of the team has. */
export function withSharedKey(inspector: GatewayInspector, key: Secret | undefined): GatewayInspector {
  return {
    traffic: inspector.traffic,
    answer: (exchange, gateway) =>
      inspector.answer(exchange, { ...gateway, guard: { ...gateway.guard, key } }),
    close: () => inspector.close(),
  }
}

/** What calls cost at list price. */
function pricesFor({ upstreams }: GatewayOptions, prices: Prices): PriceOf {
  return ({ input, output, usage }, { model, upstream }) => {
    const url = upstreams[upstream]?.url
    if (url === undefined) return undefined
    const counted = usage ?? usageOf({ input_tokens: input, output_tokens: output })
    return prices.cost({ upstream, url, model, usage: counted, isEstimated: false }).usd
  }
}
