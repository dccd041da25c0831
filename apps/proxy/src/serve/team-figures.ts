import type { MetricFamily } from '@hydra/gateway/metrics'
import type { Team } from '@hydra/team'

/** Figures of the store of a team: whether it answers, and what waits for it. */
export function teamFigures({ limiter }: Team): readonly MetricFamily[] {
  const { isSure, waiting, dropped } = limiter
  return [
    gauge('hydra_store_up', 'Whether the store of the team answers: 1 if it does.', isSure ? 1 : 0),
    gauge('hydra_store_settlements_waiting', 'Settlements that the store has not taken yet.', waiting),
    {
      ...gauge(
        'hydra_store_settlements_dropped_total',
        'Settlements given up because too many waited.',
        dropped,
      ),
      type: 'counter',
    },
  ]
}

function gauge(name: string, help: string, value: number): MetricFamily & { readonly type: 'gauge' } {
  return { type: 'gauge', name, help, isPerProcess: true, samples: [{ labels: {}, value }] }
}
